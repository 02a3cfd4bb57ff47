// The link to what is on the screen: the server knows data, labels and method, the stage
// knows where its cursor stands and which of its views are switched on.

export function linkTo(query, place) {
  const words = new URLSearchParams(query);
  words.delete("t");
  words.delete("on");
  for (const [name, value] of Object.entries(place)) {
    if (value === null) words.delete(name);
    else words.set(name, value);
  }
  const text = words.toString().replaceAll("%2C", ",");
  return `${location.origin}${location.pathname}${text ? `?${text}` : ""}`;
}

// Streamlit calls this at mounting and whenever the server's part of the link changes.
export default function mount({ parentElement, data }) {
  const root = parentElement.querySelector(".hm-link");
  const code = root.querySelector("code"), button = root.querySelector("button");
  const show = () => {
    const stage = [...(window.halfmoonStages ?? [])].find((s) => s.view?.key === data.stage);
    code.textContent = linkTo(data.query, stage ? stage.place : {});
  };
  button.onclick = async () => {
    let word = "Copied";
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code); // no leave to copy: Ctrl+C does the rest
      word = "Selected";
    }
    button.textContent = word;
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  show();
  document.addEventListener("halfmoon-place", show);
  return () => document.removeEventListener("halfmoon-place", show);
}
