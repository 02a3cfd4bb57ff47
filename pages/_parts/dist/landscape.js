// Made by `npm run build`: change the sources and build again.
function refine(source,w,h,s,target,scratch,levels=null){let w2=(w-1)*s+1;refineLines(source,{count:w,step:1,lines:h,stride:w},
s,scratch,{step:1,stride:w2},levels),refineLines(scratch,{count:h,step:w2,lines:w2,stride:1},s,target,{step:w2,stride:1},
levels)}var NODES=6,DOUBT=.05,STEEP=1.5,REFINE_TABLES=new Map;function refineTables(s){if(REFINE_TABLES.has(s))return REFINE_TABLES.
get(s);let high=new Float64Array((NODES-1)*(s-1)*2*NODES),hermite=new Float64Array(4*s);for(let place=0;place<NODES-1;place++){
let inner=Math.min(Math.max(place-1,0),NODES-4);for(let j=1;j<s;j++){let at=(place*(s-1)+j-1)*2*NODES,t=place+j/s;for(let k=0;k<
NODES;k++)high[at+k]=lagrange(k,t,0,NODES),high[at+NODES+k]=high[at+k]-(k>=inner&&k<inner+4?lagrange(k,t,inner,inner+4):
0)}}for(let i=0;i<s;i++){let t=i/s,t2=t*t,t3=t2*t;hermite.set([2*t3-3*t2+1,t3-2*t2+t,3*t2-2*t3,t3-t2],4*i)}let tables={high,
hermite};return REFINE_TABLES.set(s,tables),tables}function lagrange(k,t,from,to){let weight=1;for(let q=from;q<to;q++)q!==
k&&(weight*=(t-q)/(k-q));return weight}function refineLines(source,{count,step,lines,stride},s,target,out,levels){let{high,
hermite}=refineTables(s),found=new Float64Array(s),enough=count>=NODES;for(let i=0;i<count-1;i++){let first=Math.min(Math.
max(i-2,0),Math.max(count-NODES,0)),place=i-first,weights=place*(s-1)*2*NODES;for(let line=0;line<lines;line++){let node=line*
stride+i*step,to=line*out.stride+i*s*out.step,here=source[node],next=source[node+step];target[to]=here;let trusted=!1,last=source[i?
node-step:node],beyond=source[i<count-2?node+2*step:node+step];if(enough&&passes(last,here,next,beyond,levels)){let at=line*
stride+first*step,a=source[at],b=source[at+step],c=source[at+2*step],d=source[at+3*step],e=source[at+4*step],f=source[at+
5*step],before=Math.abs(here)+Math.abs(last),after=Math.abs(next)+Math.abs(beyond),steep=before>0&&after>0&&(after>STEEP*
before||before>STEEP*after),ratio=1,size=Math.max(Math.abs(here),Math.abs(next));if(steep){ratio=Math.min(1e3,Math.max(.001,
Math.sqrt(after/before)));let back=1/ratio,factor=ratio**place;a*=factor,b*=factor*=back,c*=factor*=back,d*=factor*=back,
e*=factor*=back,f*=factor*=back,size=Math.max(Math.abs(here),Math.abs(next*back))}let root=steep?ratio**(1/s):1,alike=here>=
0==next>=0,grown=1;trusted=!0;for(let j=1,k=weights;j<s;j++,k+=2*NODES){grown*=root;let value=high[k]*a+high[k+1]*b+high[k+
2]*c+high[k+3]*d+high[k+4]*e+high[k+5]*f,doubt=Math.abs(high[k+6]*a+high[k+7]*b+high[k+8]*c+high[k+9]*d+high[k+10]*e+high[k+
11]*f);if(!(doubt<=DOUBT*size)||alike&&value>=0!=here>=0&&doubt>.2*Math.abs(value)){trusted=!1;break}found[j]=value*grown}}
if(trusted){for(let j=1;j<s;j++)target[to+j*out.step]=found[j];continue}let rise=next-here,start=i?monotoneSlope(here-source[node-
step],rise):rise,end=i<count-2?monotoneSlope(rise,source[node+2*step]-next):rise;for(let j=1,k=4;j<s;j++,k+=4)target[to+
j*out.step]=hermite[k]*here+hermite[k+1]*start+hermite[k+2]*next+hermite[k+3]*end}}for(let line=0;line<lines;line++)target[line*
out.stride+(count-1)*s*out.step]=source[line*stride+(count-1)*step]}function passes(a,b,c,d,levels){if(!levels)return!0;
let range=Math.max(a,b,c,d)-Math.min(a,b,c,d);for(let i=0;i<levels.length;i++){let level=levels[i],side=a>=level;if(b>=level!==
side||c>=level!==side||d>=level!==side)return!0;let inner=Math.min(Math.abs(b-level),Math.abs(c-level));if(inner<range&&
inner<=Math.abs(a-level)&&inner<=Math.abs(d-level))return!0}return!1}function monotoneSlope(before,after){if(before*after<=
0)return 0;let most=3*Math.min(Math.abs(before),Math.abs(after)),mean=(before+after)/2;return Math.max(-most,Math.min(most,
mean))}var SEGMENTS=[[],[3,0],[0,1],[3,1],[1,2],null,[0,2],[3,2],[2,3],[2,0],null,[2,1],[1,3],[1,0],[0,3],[]],SADDLE_JOINED={
5:[3,2,1,0],10:[0,3,2,1]},SADDLE_APART={5:[3,0,1,2],10:[0,1,2,3]},Contours=class{constructor(w,h){this.w=w,this.h=h,this.
links=new Int32Array(4*w*h).fill(-1),this.used=[]}lines(grid,level){let{w,h,links,used}=this;used.length=0;for(let y=0;y<
h-1;y++)for(let x=0,i=y*w;x<w-1;x++,i++){let a=grid[i]>=level,b=grid[i+1]>=level,d=grid[i+w]>=level,c=grid[i+w+1]>=level,
kind=(a?1:0)|(b?2:0)|(c?4:0)|(d?8:0);if(kind===0||kind===15)continue;let pairs=SEGMENTS[kind];pairs||(pairs=((grid[i]+grid[i+
1]+grid[i+w]+grid[i+w+1])/4>=level?SADDLE_JOINED:SADDLE_APART)[kind]);for(let p=0;p<pairs.length;p+=2)this.join(this.side(
i,pairs[p]),this.side(i,pairs[p+1]))}let chains=[];for(let start of used)links[2*start]>=0&&links[2*start+1]<0&&this.follow(
start,grid,level,chains);for(let start of used)links[2*start]>=0&&this.follow(start,grid,level,chains);return chains}side(i,which){
return which===0?2*i:which===1?2*(i+1)+1:which===2?2*(i+this.w):2*i+1}join(p,q){for(let[from,to]of[[p,q],[q,p]])this.links[2*
from]<0?(this.links[2*from]=to,this.used.push(from)):this.links[2*from+1]=to}follow(start,grid,level,chains){let{w,links}=this,
xy=[],at=start,before=-1;for(;at>=0;){let node=at>>1,other=at&1?node+w:node+1,t=(level-grid[node])/(grid[other]-grid[node]),
x=node%w,y=node/w|0;xy.push(at&1?x:x+t,at&1?y+t:y);let one2=links[2*at],two=links[2*at+1];if(one2<0)break;links[2*at]=links[2*
at+1]=-1;let next=one2===before?two:one2;before=at,at=next}xy.length>=4&&chains.push(xy)}};function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function penOf(canvas){return canvas.getContext("2d")}function offscreen(width,height){let canvas=new OffscreenCanvas(width,
height);return{canvas,pen:canvas.getContext("2d")}}var TEXT=14;var FAR=[22,42,62],EDGE=4,box=(x,y,w,h)=>({x,y,w,h}),overlap=(a,b)=>Math.abs(a.x-b.x)<(a.w+b.w)/2&&Math.abs(a.y-b.y)<(a.
h+b.h)/2;function placeWords(x,y,width,height,plot,taken){let half=width/2,end=plot.left+plot.width,keep=v=>Math.min(end-
half-EDGE,Math.max(plot.left+half+EDGE,v)),boxes=FAR.flatMap(far=>[[0,-far],[0,far],[half+far-8,0],[-half-far+8,0],[half,
-far],[-half,far]]).map(([dx,dy])=>box(keep(x+dx),y+dy,width,height)),inside=boxes.filter(b=>b.y-height/2>plot.top+2&&b.
y+height/2<plot.top+plot.height-2),spot=inside.find(b=>!taken.some(other=>overlap(b,other)))??inside[0]??boxes[0];return taken.
push(spot),spot}function halo(ctx,words,x,y,colour,background,width){ctx.lineJoin="round",ctx.strokeStyle=background,ctx.
lineWidth=width,ctx.strokeText(words,x,y),ctx.fillStyle=colour,ctx.fillText(words,x,y)}var CORNERS={"triangle-up":3,"triangle-down":3,diamond:4,pentagon:5,hexagon:6,star:10};function outline(ctx,colour,width){
ctx.strokeStyle=colour,ctx.lineWidth=width,ctx.stroke()}function markPath(ctx,mark,x,y,r){if(ctx.beginPath(),mark==="cir\
cle")ctx.arc(x,y,r,0,2*Math.PI);else if(mark==="square")ctx.rect(x-.88*r,y-.88*r,1.76*r,1.76*r);else if(mark==="cross")ctx.
moveTo(x-r,y),ctx.lineTo(x+r,y),ctx.moveTo(x,y-r),ctx.lineTo(x,y+r);else{let corners=CORNERS[mark],way=mark==="triangle-\
down"?-1:1;for(let i=0;i<corners;i++){let angle=2*Math.PI*i/corners,size=mark==="star"&&i%2?.42*r:1.15*r;ctx[i?"lineTo":
"moveTo"](x+size*Math.sin(angle),y-way*size*Math.cos(angle))}ctx.closePath()}}var SUPERSCRIPT={"-":"⁻",0:"⁰",1:"¹",2:"²",3:"³",4:"⁴",5:"⁵",6:"⁶",7:"⁷",8:"⁸",9:"⁹"},UNKNOWN="–",SHORTEST=9995e-7,
LONGEST_PLAIN=1e5;function powerOfTen(exponent){return`10${[...String(exponent)].map(c=>SUPERSCRIPT[c]).join("")}`}function grouped(digits){
let[whole,rest]=digits.split("."),apart=whole.replace(/\B(?=(\d{3})+$)/g,",");return rest===void 0?apart:`${apart}.${rest}`}
function plainDigits(size,digits){return grouped(size<10**digits-.5?String(Number(size.toPrecision(digits))):size.toFixed(
0))}function asPower(size,digits){let[first,exponent]=size.toExponential(digits-1).split("e"),ten=powerOfTen(Number(exponent)),
shorter=first.includes(".")?first.replace(/\.?0+$/,""):first;return shorter==="1"?ten:`${shorter}·${ten}`}function signed(v,text){
return v<0?`−${text}`:text}function formatNumber(v,digits=3){if(!Number.isFinite(v))return UNKNOWN;if(v===0)return"0";let size=Math.abs(v),plain=size>=
SHORTEST&&size<Math.max(LONGEST_PLAIN,10**digits)-.5;return signed(v,plain?plainDigits(size,digits):asPower(size,digits-
1))}var theme_default={light:{ink:"#1c2330",soft:"#566072",muted:"#8a94a6",accent:"#5b3fd6",good:"#0f8a5f",warn:"#b45309",bad:"\
#c2255c",background:"#ffffff",panel:"#f6f7f9",line:"#e3e6ec",onAccent:"#ffffff",classes:["#e8590c","#1f6feb","#0f8a5f","\
#a61e9a","#b58900","#0891b2","#7a4b1e","#d6336c","#6741d9","#5c940d"],strength:.56},dark:{ink:"#e8ecf3",soft:"#aab4c4",muted:"\
#7b8798",accent:"#a08cff",good:"#3fcf9b",warn:"#f5b942",bad:"#ff7aa2",background:"#0f131a",panel:"#171c26",line:"#2a3140",
onAccent:"#14102b",classes:["#ff8a4c","#5b9bff","#3fcf9b","#f07be0","#f2cf4a","#4fd3ee","#c89a6b","#ff7fa5","#b197fc","#\
a3d94f"],strength:.56}};var LIGHT={dark:!1,...theme_default.light},DARK={dark:!0,...theme_default.dark};function parseColour(text){let hex=text.
trim().match(/^#([0-9a-f]{6})$/i);if(hex){let v=parseInt(hex[1],16);return[v>>16,v>>8&255,v&255]}let rgb=text.match(/[\d.]+/g);
return rgb&&rgb.length>=3?rgb.slice(0,3).map(Number):[255,255,255]}function mixColours(from,to,share){let a=parseColour(
from),b=parseColour(to);return a.map((v,i)=>Math.round(v+(b[i]-v)*share))}function rgbText(rgb){return`rgb(${rgb.join(",")}\
)`}function readTheme(root){let background=getComputedStyle(root).getPropertyValue("--st-background-color").trim(),[r,g,
b]=parseColour(background||"#ffffff"),base=.3*r+.59*g+.11*b<128?DARK:LIGHT,panel=getComputedStyle(root).getPropertyValue(
"--st-secondary-background-color").trim(),theme={...base,background:background||base.background,panel:panel||base.panel,
font:getComputedStyle(root).fontFamily};for(let role of["ink","soft","muted","accent","good","warn","bad","background","\
panel","line"])root.style.setProperty(`--hm-${role}`,theme[role]);return root.style.setProperty("--hm-on-accent",theme.onAccent),
root.dataset.theme=theme.dark?"dark":"light",theme}function classColour(theme,c){let colour=theme.classes[c%10];return c<
10?colour:rgbText(mixColours(colour,theme.ink,.35))}function roleColour(theme,role){let match=/^class(\d+)$/.exec(role);
return match?classColour(theme,Number(match[1])):theme[role]?String(theme[role]):theme.ink}var heightText=off=>formatNumber(Number(off.toFixed(2)));function below(sorted,value){let a=0,b=sorted.length;for(;a<b;){
let middle=a+b>>1;sorted[middle]<value?a=middle+1:b=middle}return a}function groups(solutions){let found=[];for(let one2 of solutions){
let twin=found.find(g=>Math.hypot(g.x-one2.x,g.y-one2.y)<8&&Math.abs(g.objective-one2.objective)<.001*Math.abs(one2.objective));
twin?twin.names.push(one2.name):found.push({x:one2.x,y:one2.y,objective:one2.objective,names:[one2.name]})}return found}var APART=14,FINE=4,LEVELS=10,NEAR=.1,GONE=1.2,FAINT=.3,STILL=20,NARROW=460;function standing(route,t){let last=route.t.
length-1,i=0;for(;i<last&&route.t[i+1]<=t;)i+=1;let span=i<last?route.t[i+1]-route.t[i]:1,share=i<last&&!route.retrained?
Math.min(1,Math.max(0,(t-route.t[i])/span)):0,a=route.places[i],b=route.places[Math.min(last,i+1)];return{i,place:a.map(
(v,k)=>v+share*(b[k]-v)),objective:route.objective[i]}}var Slice=class{data=void 0;theme=void 0;sheet=null;names=null;moments=null;request=null;taken=[];rows=[];draws=[];sorted=new Float32Array(
0);fine={w:1,h:1,values:new Float32Array(1)};patience=0;scale=1;width=0;height=0;constructor(root){this.root=root,this.canvas=
one(root,".hm-slice canvas"),this.here=one(root,".hm-here"),this.body=one(root,"tbody"),this.wake=()=>this.follow(),document.
addEventListener("halfmoon-place",this.wake),this.observer=new ResizeObserver(()=>this.resize()),this.observer.observe(this.
canvas),this.canvas.addEventListener("pointermove",e=>this.tell(e.offsetX,e.offsetY)),this.canvas.addEventListener("poin\
terleave",()=>this.rest()),Object.assign(root,{halfmoonSlice:this})}update(data){this.data=data,this.theme=readTheme(this.
root);let[w,h]=data.shape,w2=(w-1)*FINE+1,h2=(h-1)*FINE+1;this.fine={w:w2,h:h2,values:new Float32Array(w2*h2)},refine(Float32Array.
from(data.values),w,h,FINE,this.fine.values,new Float32Array(w2*h)),this.sorted=Float32Array.from(data.values).sort(),this.
moments=null,this.buildTable(),this.sheet=this.names=null,this.resize(),this.rest()}remove(){document.removeEventListener(
"halfmoon-place",this.wake),this.observer.disconnect(),cancelAnimationFrame(this.request??0)}resize(){let{clientWidth:width,
clientHeight:height}=this.canvas;!this.data||!width||(this.scale=Math.min(3,window.devicePixelRatio||1),this.width=width,
this.height=height,this.canvas.width=Math.round(width*this.scale),this.canvas.height=Math.round(height*this.scale),this.
sheet=this.names=null,this.moments=null,this.follow())}x(s){let[s0,s1]=this.data.extent;return(s-s0)/(s1-s0)*this.width}y(t){
let[,,t0,t1]=this.data.extent;return this.height*(1-(t-t0)/(t1-t0))}get cursors(){let stages=[...window.halfmoonStages??
[]];return this.data.routes.map(route=>stages.find(stage=>stage.view?.key===route.stage)?.time.moment??1/0)}follow(){this.
patience=STILL,this.request??=requestAnimationFrame(()=>this.look())}look(){if(this.request=null,!this.data||!this.width||
!this.root.isConnected)return;let now=this.cursors,key=now.join();if(key!==this.moments){this.moments=key;let start=performance.
now();this.draw(now),this.draws.push(performance.now()-start),this.draws.length>90&&this.draws.shift(),this.root.dataset.
drawMs=[...this.draws].sort((a,b)=>a-b)[this.draws.length>>1].toFixed(2),this.patience=STILL}--this.patience>0?this.request=
requestAnimationFrame(()=>this.look()):this.say(now)}draw(now){let ctx=penOf(this.canvas);this.sheet??=this.makeSheet(pen=>this.
drawGround(pen)),this.names??=this.makeSheet(pen=>{this.taken=this.drawNames(pen)}),ctx.setTransform(1,0,0,1,0,0),ctx.drawImage(
this.sheet,0,0),ctx.setTransform(this.scale,0,0,this.scale,0,0);let here=this.data.routes.map((route,k)=>standing(route,
now[k]));this.data.routes.forEach((route,k)=>this.drawPassed(ctx,route,k,here[k])),here.forEach(({place},k)=>this.drawDot(
ctx,place,k)),ctx.drawImage(this.names,0,0,this.width,this.height),this.drawHeights(ctx,here.map(({place})=>place)),this.
fillTable(here)}makeSheet(paint){let{canvas,pen}=offscreen(this.canvas.width,this.canvas.height);return pen.scale(this.scale,
this.scale),paint(pen),canvas}drawGround(ctx){this.drawHeight(ctx),this.drawLevels(ctx),this.data.routes.forEach((route,k)=>this.
drawWhole(ctx,route,k))}drawHeight(ctx){let{w,h,values}=this.fine,{theme,sorted}=this,{canvas:picture,pen}=offscreen(w,h),
image=pen.createImageData(w,h),shades=Array.from({length:256},(_,q)=>mixColours(theme.background,theme.muted,.62*(1-q/255)**
1.7));for(let row=0;row<h;row++)for(let column=0;column<w;column++){let rank=below(sorted,values[row*w+column])/sorted.length,
[r,g,b]=shades[Math.min(255,Math.floor(256*rank))];image.data.set([r,g,b,255],4*((h-1-row)*w+column))}pen.putImageData(image,
0,0),ctx.imageSmoothingEnabled=!0,ctx.drawImage(picture,0,0,this.width,this.height)}drawLevels(ctx){let{w,h,values}=this.
fine,{theme,sorted}=this,contours=new Contours(w,h),low=sorted[0],high=sorted[Math.floor(.85*sorted.length)],written=[],
toX=v=>v/(w-1)*this.width,toY=v=>this.height*(1-v/(h-1));ctx.font=`${TEXT}px ${theme.font}`,ctx.textAlign="center",ctx.textBaseline=
"middle";for(let k=1;k<=LEVELS;k++){let level=Number((low+(high-low)*(k/LEVELS)**1.8).toPrecision(2));if(level<=low)continue;
let chains=contours.lines(values,level);ctx.strokeStyle=theme.soft,ctx.globalAlpha=.55,ctx.lineWidth=.9,ctx.beginPath();
for(let chain of chains)for(let i=0;i<chain.length;i+=2)ctx[i?"lineTo":"moveTo"](toX(chain[i]),toY(chain[i+1]));if(ctx.stroke(),
ctx.globalAlpha=1,k%2!==0)for(let chain of chains){if(chain.length<80)continue;let at=2*Math.floor(.07*k*(chain.length/2)),
px=toX(chain[at]),py=toY(chain[at+1]),spot=box(px,py,40,20);px<24||px>this.width-24||py<12||py>this.height-12||written.some(
other=>overlap(spot,other))||(written.push(spot),halo(ctx,formatNumber(level),px,py,theme.soft,theme.background,3))}}}drawWhole(ctx,{
places,end},k){ctx.strokeStyle=ctx.fillStyle=this.colour(k);for(let j=1;j<places.length;j++)this.drawPiece(ctx,places[j-
1],places[j],.45,1.5);this.drawMarks(ctx,places,k,.45),ctx.globalAlpha=.8,ctx.lineWidth=1.6,ctx.setLineDash([1.5,3]),this.
line(ctx,[places[places.length-1],end]),ctx.setLineDash([]),ctx.globalAlpha=1}drawPassed(ctx,{places},k,{i,place}){let passed=[
...places.slice(0,i+1),place];ctx.strokeStyle=this.theme.background,ctx.globalAlpha=.7,ctx.lineWidth=5.5,ctx.lineJoin="r\
ound",this.line(ctx,passed),ctx.strokeStyle=ctx.fillStyle=this.colour(k);for(let j=1;j<passed.length;j++)this.drawPiece(
ctx,passed[j-1],passed[j],1,2.6);this.drawMarks(ctx,passed.slice(0,-1),k,1),ctx.globalAlpha=1}drawPiece(ctx,a,b,strength,width){
let off=Math.max(a[2],b[2]);ctx.globalAlpha=strength*this.nearness(off),ctx.lineWidth=width,off>NEAR&&ctx.setLineDash([5,
4]),this.line(ctx,[a,b]),off>NEAR&&ctx.setLineDash([])}drawMarks(ctx,places,k,strength){let[x,y]=[-APART,-APART];for(let[
s,t,off]of places)Math.hypot(this.x(s)-x,this.y(t)-y)<APART||([x,y]=[this.x(s),this.y(t)],ctx.globalAlpha=strength*this.
nearness(off),markPath(ctx,this.data.routes[k].mark,x,y,3.6),ctx.fill())}line(ctx,places){ctx.beginPath(),places.forEach(
([s,t],j)=>ctx[j?"lineTo":"moveTo"](this.x(s),this.y(t))),ctx.stroke()}nearness(off){return 1-(1-FAINT)*Math.min(1,Math.
max(0,(off-NEAR)/(GONE-NEAR)))}colour(k){return roleColour(this.theme,this.data.routes[k].role)}drawDot(ctx,[s,t,off],k){
let{theme}=this,x=this.x(s),y=this.y(t),above=off>NEAR;markPath(ctx,this.data.routes[k].mark,x,y,8),outline(ctx,theme.background,
6),outline(ctx,this.colour(k),3),ctx.fillStyle=above?theme.background:this.colour(k),ctx.fill()}drawNames(ctx){let{theme}=this,
taken=[],solutions=this.data.solutions.map(one2=>({...one2,x:this.x(one2.place[0]),y:this.y(one2.place[1])}));for(let{x,
y,star}of solutions)taken.push(box(x,y,18,18)),markPath(ctx,star?"star":"cross",x,y,star?11:6),outline(ctx,theme.background,
6),outline(ctx,theme.ink,2.4);ctx.font=`600 ${TEXT}px ${theme.font}`,ctx.textBaseline="middle",ctx.textAlign="center";for(let{
names,objective,x,y}of groups(solutions)){let words=this.width<NARROW?formatNumber(objective):`${names.join(", ")} ${formatNumber(
objective)}`;this.write(ctx,words,x,y,theme.ink,taken)}return taken}drawHeights(ctx,dots){let taken=[...this.taken,...dots.
map(([s,t])=>box(this.x(s),this.y(t),22,22))];ctx.font=`600 ${TEXT}px ${this.theme.font}`,ctx.textBaseline="middle",ctx.
textAlign="center",dots.forEach(([s,t,off],k)=>{off>NEAR&&this.write(ctx,`${heightText(off)} above`,this.x(s),this.y(t),
this.colour(k),taken)})}write(ctx,words,x,y,colour,taken){let plot={left:0,top:0,width:this.width,height:this.height},place=placeWords(
x,y,ctx.measureText(words).width+6,TEXT+6,plot,taken);halo(ctx,words,place.x,place.y,colour,this.theme.background,5)}buildTable(){
let cell=words=>{let made=document.createElement("td");return made.textContent=words,made};this.rows=this.data.routes.map(
(route,k)=>{let row=document.createElement("tr"),name=document.createElement("td"),swatch=document.createElement("canvas"),
line=document.createElement("span"),solution=this.data.solutions.find(one2=>one2.name===route.name);swatch.setAttribute(
"aria-hidden","true"),swatch.width=68,swatch.height=36;let pen=penOf(swatch);return pen.scale(2,2),pen.strokeStyle=pen.fillStyle=
this.colour(k),pen.lineWidth=2.4,pen.beginPath(),pen.moveTo(0,9),pen.lineTo(34,9),pen.stroke(),markPath(pen,this.data.routes[k].
mark,17,9,6),pen.fill(),line.append(swatch,route.name),name.append(line),row.append(name,cell(""),cell(""),cell(formatNumber(
solution?.retrained??NaN)),cell(formatNumber(solution?.objective??NaN))),row});let truth=this.data.solutions.filter(one2=>one2.
star).map(one2=>{let row=document.createElement("tr");return row.append(cell("★ true labels"),cell(""),cell(heightText(
one2.place[2])),cell(formatNumber(one2.retrained??NaN)),cell(formatNumber(one2.objective))),row});this.body.replaceChildren(
...this.rows,...truth)}fillTable(here){here.forEach(({place,objective},k)=>{this.rows[k].children[1].textContent=formatNumber(
objective),this.rows[k].children[2].textContent=heightText(place[2])})}say(now){let places=this.data.routes.map((route,k)=>{
let{place,objective}=standing(route,now[k]);return`${route.name}: objective ${formatNumber(objective)}, ${heightText(place[2])}\
 above the plane`}),corners=this.data.solutions.filter(one2=>one2.corner).map(one2=>`${one2.name} ${formatNumber(one2.objective)}`);
this.canvas.setAttribute("aria-label",`Slice of the objective through ${corners.join(", ")}. At the cursor: ${places.join(
"; ")}.`)}tell(px,py){if(!this.data)return;let{w,h,values}=this.fine,column=Math.round(px/this.width*(w-1)),row=Math.round(
(1-py/this.height)*(h-1)),value=values[Math.min(h-1,Math.max(0,row))*w+Math.min(w-1,Math.max(0,column))];this.here.textContent=
`Objective at the pointer: ${formatNumber(value)}`}rest(){this.here.textContent=`${this.theme.dark?"Light":"Dark"} is lo\
w. Move the pointer over the picture to read the objective.`}};function mount({parentElement,data}){let root=one(parentElement,
".hm-landscape"),slice=new Slice(root);return slice.update(data),()=>slice.remove()}export{mount as default};
