# The module cmath.
import cmath
import random

random.seed(5)
names='sqrt exp log log10 cosh sinh tanh cos sin tan acos acosh asinh asin atanh atan phase polar'.split()
for n in names:
    for z in [0j,1+0j,-1+0j,1j,-1j,0.5,2,-2.5,1+2j,-3-4j,1e-5+1j,100+1j,1e200+1e200j,-0.0-0.0j,complex(-1,-0.0),complex(2,-0.0)]+[complex(random.uniform(-5,5),random.uniform(-5,5)) for _ in range(8)]:
        try: print(n,z,getattr(cmath,n)(z))
        except Exception as e: print(n,z,type(e).__name__,e)
print(cmath.pi, cmath.e, cmath.tau, cmath.inf, cmath.infj, cmath.nanj)
print(cmath.isclose(1j, 1j + 1e-12), cmath.isclose(1, 2), cmath.isnan(complex('nan')), cmath.isinf(complex('infj')), cmath.isfinite(1j), cmath.rect(2, 1), cmath.rect(1, 0), cmath.log(8, 2), cmath.log(1j, 2))
for wrong in ('a', None):
    try:
        cmath.sqrt(wrong)
    except TypeError as error:
        print(error)
