// Tells of errors that a page keeps to itself (`onerror` that returns true); run before any script of the page.
(() => {
  const tell = window.ARREIO;
  delete window.ARREIO;
  const { stringify } = JSON;
  const later = setTimeout;
  const text = (thrown) => (thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown));
  const heard = (event, url, line, thrown) =>
    later(() => event.defaultPrevented && tell(stringify({ url, line, said: text(thrown) })));
  addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) heard(event, event.filename, event.lineno, event.error ?? event.message);
  }, true);
  addEventListener("unhandledrejection", (event) => heard(event, location.href, 0, event.reason), true);
})();
