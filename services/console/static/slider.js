// The state at any event: moving the slider shows it at once, and the address goes with it.

const form = document.getElementById("slider");
const range = form.elements.namedItem("at");
const output = form.querySelector("output");
const slider = Math.random().toString(36).slice(2);
let asked;

range.addEventListener("input", () => { output.textContent = range.value; });
range.addEventListener("change", show);

async function show() {
  asked?.abort();
  asked = new AbortController();
  const address = `${form.action}?at=${encodeURIComponent(range.value)}`;
  try {
    const answer = await fetch(`${address}&slider=${slider}`, { signal: asked.signal });
    if (!answer.ok || answer.redirected) { location.assign(address); return; }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["state", "shown-at"]) document.getElementById(id).replaceWith(page.getElementById(id));
    document.title = page.title;
    history.replaceState(null, "", address);
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address);
  }
}
