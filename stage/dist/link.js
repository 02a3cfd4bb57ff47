// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function linkTo(query,place){let words=new URLSearchParams(query);words.delete("t"),words.delete("on");for(let[name,value]of Object.
entries(place))value===null?words.delete(name):words.set(name,String(value));let text=words.toString().replaceAll("%2C",
",");return`${location.origin}${location.pathname}${text?`?${text}`:""}`}function subjectOf({about,title}){return about.
replace(/ Halfmoon \S+$/,"")||title}function escaped(text){let names={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;"};return text.
replace(/[&<>"]/g,sign=>names[sign])}function frameOf(query,place,about){let title=escaped(about?`Halfmoon: ${about}`:"H\
alfmoon"),src=escaped(linkTo(query,{...place,embed:1}));return`<iframe title="${title}" src="${src}" width="720" height=\
"480" loading="lazy" style="border: 0; max-width: 100%"></iframe>`}function wire(row){let code=one(row,"code"),button=one(
row,"button"),usual=button.textContent;return button.onclick=async()=>{let word="Copied";try{await navigator.clipboard.writeText(
code.textContent??"")}catch{getSelection()?.selectAllChildren(code),word="Selected"}button.textContent=word,setTimeout(()=>{
button.textContent=usual},1500)},code}function mount({parentElement,data}){let link=wire(one(parentElement,".hm-link")),
frame=wire(one(parentElement,".hm-frame")),show=()=>{let stage=[...window.halfmoonStages??[]].find(s=>s.view?.key===data.
stage),place=stage?stage.place:{};link.textContent=linkTo(data.query,place),frame.textContent=frameOf(data.query,place,stage?
subjectOf(stage.view):"")};return show(),document.addEventListener("halfmoon-place",show),()=>document.removeEventListener(
"halfmoon-place",show)}export{mount as default,frameOf,linkTo,subjectOf};
