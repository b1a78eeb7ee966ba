// Shows what a person opens, `<details>` that are closed, without the page's scripts hearing of it; false: no longer.
((open) => {
  const others = document.adoptedStyleSheets.filter((sheet) => sheet !== globalThis.opened);
  globalThis.opened ??= new CSSStyleSheet();
  if (open) opened.replaceSync("details::details-content { content-visibility: visible !important }");
  document.adoptedStyleSheets = open ? [...others, opened] : others;
  return document.documentElement.scrollHeight;
})
