use verdigris::{record_exact_class, prelude::*};

#[gc]
struct Cat {
    lives: i64,
}

#[gc]
struct Dog {
    age: i64,
}

struct Plain {
    x: i64,
}

#[object(Animal)]
enum AnimalKind {
    Cat(Gc<Cat>),
    Dog(Gc<Dog>),
}

#[portal]
fn run(mut x: i64, animal: Animal, cat: Gc<Cat>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x, animal, cat]);
        pc += 1;
        unsafe { record_exact_class::<Cat>(animal) };
        unsafe { record_exact_class::<Cat>(cat) };
        unsafe { record_exact_class::<Plain>(animal) };
        unsafe { record_exact_class(animal) };
        unsafe {
            x += 1;
        }
        x += match animal.kind() {
            AnimalKind::Cat(cat) => cat.lives,
            AnimalKind::Dog(dog) => dog.age,
        };
    }
}
