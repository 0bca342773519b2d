package num
import ("testing";"encoding/json";"os";"math";"fmt";"gonum.org/v1/gonum/mathext")
func TestCmp(t *testing.T){
 b,_:=os.ReadFile("testdata/reference.json")
 var r struct{Gamma []struct{A,X,P,Q float64}}
 json.Unmarshal(b,&r)
 for _,g:=range r.Gamma{
  rel:=func(x,y float64)float64{return math.Abs(x-y)/y}
  e:=[]float64{rel(GammaP(g.A,g.X),g.P),rel(GammaQ(g.A,g.X),g.Q),rel(mathext.GammaIncReg(g.A,g.X),g.P),rel(mathext.GammaIncRegComp(g.A,g.X),g.Q)}
  if e[0]>1e-13||e[1]>1e-13||e[2]>1e-11||e[3]>1e-11 {fmt.Printf("a=%g x=%g p=%.3g q=%.3g own %.1e %.1e gonum %.1e %.1e\n",g.A,g.X,g.P,g.Q,e[0],e[1],e[2],e[3])}
 }
 fmt.Println(len(r.Gamma))
}
func BenchmarkP(b *testing.B){ for _,s:=range []float64{0.5,4.2,45,312,2000}{ for _,k:=range []float64{-2,-.5,.5,2}{ x:=s+k*math.Sqrt(s); if x<=0{continue}
 b.Run(fmt.Sprintf("a=%g/k=%g/own",s,k),func(b *testing.B){for b.Loop(){GammaP(s,x)}})
 b.Run(fmt.Sprintf("a=%g/k=%g/gonum",s,k),func(b *testing.B){for b.Loop(){mathext.GammaIncReg(s,x)}})
}}}
