// A session's timeline: what comes is added at its end, and an event's data is fetched when it is opened.
// The server has escaped whatever the markup holds, and the page's policy lets nothing in it run.

const MOST = 400;
const timeline = document.getElementById("timeline");
const following = document.getElementById("following");
const below = document.getElementById("below");
// Seconds before a stream that was refused is asked for again.
const SHORTEST = 5;
const LONGEST = 60;
let unseen = 0;
let last = 0;
let pause = SHORTEST;
const STATES = {
  "task.started": "IN_PROGRESS", "input.received": "IN_PROGRESS", "task.needs_input": "NEEDS_INPUT",
  "task.completed": "COMPLETE", "task.blocked": "BLOCKED", "task.failed": "FAILED",
};

timeline.addEventListener("toggle", async (event) => {
  const details = event.target;
  const place = details.querySelector(".data");
  if (!details.open || place.childElementCount) return;
  const answer = await fetch(details.dataset.source);
  if (answer.ok) place.innerHTML = await answer.text();
}, true);

if (timeline.dataset.live) follow(timeline.dataset.live);

function follow(address) {
  const from = new URL(address, location);
  if (last) from.searchParams.set("after", last);
  const stream = new EventSource(from);
  const said = "Following: what happens is added here.";
  stream.addEventListener("open", () => { following.textContent = said; pause = SHORTEST; });
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) followLater(address);
    else following.textContent = "The connection broke; it is made again.";
  });
  stream.addEventListener("out", () => { stream.close(); location.reload(); });
  stream.addEventListener("line", (event) => add(JSON.parse(event.data)));
}

// A browser makes a broken connection again by itself, but leaves a stream alone that was answered with anything else.
function followLater(address) {
  following.textContent = "This timeline cannot be followed now: the console is away, too many are followed already "
    + `(by you, or in all), or you are signed out. It is tried again in ${pause} seconds.`;
  setTimeout(follow, pause * 1000, address);
  pause = Math.min(2 * pause, LONGEST);
}

function add({ markup, seq, type, task }) {
  last = seq;
  if (document.getElementById(`e${seq}`)) return;
  const atEnd = atBottom();
  const made = document.createElement("template");
  made.innerHTML = markup;
  const line = made.content.firstElementChild;
  line.classList.add("new");
  timeline.append(line);
  if (STATES[type] && task) showState(task, STATES[type]);
  if (atEnd) {
    // Only whoever looks at the end is moved, and loses what is far above.
    while (timeline.childElementCount > MOST) timeline.firstElementChild.remove();
    scrollTo(0, document.body.scrollHeight);
  } else {
    unseen += 1;
    below.textContent = unseen === 1 ? "1 new event below" : `${unseen} new events below`;
    below.hidden = false;
  }
}

function atBottom() { return innerHeight + scrollY >= document.body.scrollHeight - 120; }

addEventListener("scroll", () => {
  if (unseen && atBottom()) { unseen = 0; below.hidden = true; }
}, { passive: true });

function showState(task, state) {
  const place = document.querySelector(`[data-task="${CSS.escape(task)}"]`);
  if (!place) return;
  place.textContent = state;
  place.className = `state ${state}`;
}
