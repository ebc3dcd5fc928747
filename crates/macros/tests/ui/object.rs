#[object]
enum AKind { Int(Gc<IntObj>) }
#[object(BKind)]
enum BKind { Int(Gc<IntObj>), Small(Gc<IntObj>) }
#[object(C, D)]
enum CKind<T> { A, B(i64), C { x: Gc<X> }, D(Gc<X>, Gc<X>), E(GcArray<X>), F(Gc<X>) = 3 }
#[object(E)]
enum EKind {}
#[object(F)]
struct FKind(Gc<X>);
