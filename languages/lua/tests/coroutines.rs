//! Coroutines beyond the original: in: texts that `lua5.4` refuses, or that would fill its memory.
//! Out: what they print. Invariant under test: everything that calls can be yielded from, and what
//! has ended costs nothing.

use crate::common::output;

#[test]
fn library_functions_are_yielded_from() {
    let text = r#"
        local seen = {}
        local named = setmetatable({}, { __tostring = function() return coroutine.yield("name") end })
        local co = coroutine.wrap(function()
            local list = { 5, 3, 8, 1 }
            table.sort(list, function(a, b) coroutine.yield("compare") return a < b end)
            return table.concat(list, ",") .. tostring(named)
        end)
        local what = co()
        while what == "compare" do what = co() end
        print(what, co("!"))
    "#;
    assert_eq!(output(text), "name\t1,3,5,8!\n");
}

#[test]
fn those_that_nothing_refers_to_are_forgotten() {
    let text = r#"
        local sum = 0
        for n = 1, 20000 do
            local co = coroutine.wrap(function() coroutine.yield(n) end)
            sum = sum + co()
        end
        print(sum)
    "#;
    assert_eq!(output(text), "200010000\n");
}

#[test]
fn a_coroutine_recurses_deeply() {
    let text = r#"
        local function sum(n) if n == 0 then coroutine.yield() return 0 end return n + sum(n - 1) end
        local co = coroutine.create(function() return sum(250) end)
        coroutine.resume(co)
        collectgarbage()
        print(coroutine.resume(co))
    "#;
    assert_eq!(output(text), "true\t31375\n");
}
