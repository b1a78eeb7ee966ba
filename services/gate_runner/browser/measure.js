// Measures a page as it is shown: texts with what lies behind them, what is tapped, and what reaches beyond the screen.
(() => {
  const MOST = 500;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const known = new Map();

  // Any colour of CSS as red, green, blue (0 to 255) and opacity (0 to 1).
  const colour = (text) => {
    if (!known.has(text)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = "#000";
      pen.fillStyle = text;
      pen.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
      known.set(text, [red, green, blue, alpha / 255]);
    }
    return known.get(text);
  };
  const over = (front, back) => front.slice(0, 3).map((part, at) => Math.round(part * front[3] + back[at] * (1 - front[3])));
  const parent = (element) => element.assignedSlot || element.parentElement || element.getRootNode().host || null;
  const chain = (element) => {
    const found = [];
    for (let at = element; at; at = parent(at)) found.push(at);
    return found;
  };
  const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  const spaced = (text) => (text || "").replace(/\s+/g, " ").trim();
  const what = (element) => {
    const id = element.id ? `#${element.id}` : "";
    const classes = [...element.classList].slice(0, 2).map((name) => `.${name}`).join("");
    const typed = element.localName === "input" && !["checkbox", "radio"].includes(element.type);
    const words = spaced(typed ? element.value : element.textContent);
    return short(`<${element.localName}${id}${classes}>`, 80) + (words ? ` “${short(words, 40)}”` : "");
  };

  const elements = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (elements.length >= 20000) return;
      elements.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);

  const seen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  const inside = (box) =>
    box.width > 1 && box.height > 1 && box.right + scrollX > 0 && box.bottom + scrollY > 0 &&
    box.left + scrollX < document.documentElement.scrollWidth;
  const clippedAway = (element) =>
    chain(element).some((at) => {
      const style = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      const small = box.width <= 1 || box.height <= 1;
      return (small && style.overflow !== "visible") || /inset\((50|100)%/.test(style.clipPath) || /rect\((0|1)px/.test(style.clip);
    });

  // What lies behind an element: its own and its ancestors' backgrounds; null where an image or the like does.
  const behind = (element) => {
    let opacity = 1;
    const layers = [];
    for (const at of chain(element)) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none" || style.mixBlendMode !== "normal" || style.filter !== "none") return null;
      opacity *= parseFloat(style.opacity);
      const [red, green, blue, alpha] = colour(style.backgroundColor);
      if (alpha > 0) layers.push([red, green, blue, alpha * parseFloat(style.opacity)]);
      if (alpha * parseFloat(style.opacity) >= 1) break;
    }
    const canvasColour = colour(getComputedStyle(document.documentElement).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff");
    let back = canvasColour.slice(0, 3);
    for (const layer of layers.reverse()) back = over(layer, back);
    return { back, opacity };
  };

  // Whether something that is no ancestor lies between a text and its background.
  const covered = (element, box) => {
    const root = element.getRootNode();
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const now = element.getClientRects()[0] || box;
    const stack = root.elementsFromPoint(now.left + now.width / 2, now.top + now.height / 2);
    const own = new Set(chain(element));
    const from = stack.indexOf(element);
    if (from < 0) return true;
    for (const at of stack.slice(from)) {
      if (!own.has(at)) return true;
      if (colour(getComputedStyle(at).backgroundColor)[3] >= 1) return false;
    }
    return false;
  };

  const textOf = (element) => {
    if (element.localName === "input") {
      const kind = element.type;
      if (["hidden", "checkbox", "radio", "range", "color", "file", "image"].includes(kind)) return null;
      return spaced(element.value) ? element.getBoundingClientRect() : null;
    }
    if (["script", "style", "noscript", "option", "title", "template"].includes(element.localName)) return null;
    const node = [...element.childNodes].find((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
    if (!node || element.namespaceURI === "http://www.w3.org/2000/svg") return null;
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };

  const texts = [];
  const targets = [];
  const wide = [];
  // Not innerWidth: a phone zooms out where something is too wide.
  const screen = document.documentElement.clientWidth;
  const TAPPED =
    "a[href],button,input:not([type=hidden]),select,textarea,summary,[onclick]," +
    ["button", "link", "checkbox", "radio", "switch", "tab", "menuitem"].map((role) => `[role=${role}]`).join();

  // A link or the like in a line of text, which gives it its height.
  const inLine = (element) => {
    const around = parent(element);
    if (getComputedStyle(element).display !== "inline" || !around) return false;
    return [...around.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]{2}/u.test(one.data));
  };
  const areaOf = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (const label of element.labels || []) {
      const box = label.getBoundingClientRect();
      if (!["checkbox", "radio"].includes(element.type) || !box.width) continue;
      [left, top] = [Math.min(left, box.left), Math.min(top, box.top)];
      [right, bottom] = [Math.max(right, box.right), Math.max(bottom, box.bottom)];
    }
    return { x: left + scrollX, y: top + scrollY, width: right - left, height: bottom - top };
  };
  // Whether it is no smaller than the browser makes it where no style says anything.
  const native = (element, box) => {
    if (!["input", "select", "textarea", "button"].includes(element.localName)) return false;
    const plain = element.cloneNode(true);
    plain.style.cssText = "all: revert !important; position: absolute !important";
    document.body.append(plain);
    const usual = plain.getBoundingClientRect();
    plain.remove();
    return box.width > usual.width - 0.6 && box.height > usual.height - 0.6;
  };
  const clips = (element) => chain(element).slice(1).some((at) => at !== document.body && at !== document.documentElement && getComputedStyle(at).overflowX !== "visible");

  for (const element of elements) {
    if (!seen(element)) continue;
    const style = getComputedStyle(element);
    const own = element.getBoundingClientRect();
    const disabled = Boolean(element.closest("[disabled],[aria-disabled=true],[inert]"));
    const box = texts.length < MOST ? textOf(element) : null;
    if (box && inside(box) && !clippedAway(element)) {
      const front = colour(style.webkitTextFillColor || style.color);
      const found = style.backgroundClip.includes("text") ? null : behind(element);
      if (front[3] > 0) {
        const back = found && found.back;
        texts.push({
          element, box, disabled, what: what(element), size: parseFloat(style.fontSize), bold: parseFloat(style.fontWeight) >= 700,
          raised: ["sup", "sub"].includes(element.localName),
          colour: back ? over([...front.slice(0, 3), front[3] * found.opacity], back) : front.slice(0, 3),
          behind: back,
        });
      }
    }
    if (element.matches(TAPPED) && targets.length < MOST && inside(own) && !disabled && style.pointerEvents !== "none" && !clippedAway(element)) {
      targets.push({ what: what(element), ...areaOf(element), inline: inLine(element), native: native(element, own) });
    }
    const beyond = own.right + scrollX > screen + 1 && own.width > 0 && style.position !== "fixed";
    const outer = parent(element);
    if (beyond && wide.length < 20 && outer && !clips(element)) {
      const nested = outer !== document.body && outer !== document.documentElement && outer.getBoundingClientRect().right + scrollX > screen + 1;
      if (!nested) wide.push({ what: what(element), right: Math.round(own.right + scrollX) });
    }
  }
  const pictures = elements.some((one) => ["img", "svg", "canvas", "video", "iframe", "object"].includes(one.localName) && seen(one) && one.getBoundingClientRect().width > 1);
  const painted = elements.some((one) => one !== document.documentElement && one !== document.body && seen(one) && one.getBoundingClientRect().width > 1 && one.getBoundingClientRect().height > 1 && (getComputedStyle(one).backgroundImage !== "none" || colour(getComputedStyle(one).backgroundColor)[3] > 0 || one.matches("input,button,select,textarea")));
  for (const one of texts) {
    if (one.behind && covered(one.element, one.box)) one.behind = null;
  }
  // Words in the colour of what lies behind them are seen by nobody.
  const shown = (one) => !one.behind || one.colour.some((part, at) => Math.abs(part - one.behind[at]) > 12);
  scrollTo(0, 0);
  return {
    title: document.title,
    viewport: Boolean(document.querySelector("meta[name=viewport]")),
    width: screen,
    scroll_width: document.documentElement.scrollWidth,
    scroll_height: document.documentElement.scrollHeight,
    blank: !texts.some(shown) && !pictures && !painted,
    texts: texts.filter((one) => !one.raised).map(({ element, box, raised, ...one }) => one),
    targets,
    wide,
  };
})()
