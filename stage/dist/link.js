// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function linkTo(query,place){let words=new URLSearchParams(query);words.delete("t"),words.delete("on");for(let[name,value]of Object.
entries(place))value===null?words.delete(name):words.set(name,String(value));let text=words.toString().replaceAll("%2C",
",");return`${location.origin}${location.pathname}${text?`?${text}`:""}`}function mount({parentElement,data}){let code=one(
parentElement,".hm-link code"),button=one(parentElement,".hm-link button"),show=()=>{let stage=[...window.halfmoonStages??
[]].find(s=>s.view?.key===data.stage);code.textContent=linkTo(data.query,stage?stage.place:{})};return button.onclick=async()=>{
let word="Copied";try{await navigator.clipboard.writeText(code.textContent??"")}catch{getSelection()?.selectAllChildren(
code),word="Selected"}button.textContent=word,setTimeout(()=>{button.textContent="Copy"},1500)},show(),document.addEventListener(
"halfmoon-place",show),()=>document.removeEventListener("halfmoon-place",show)}export{mount as default,linkTo};
