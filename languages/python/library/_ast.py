"""The classes of syntax trees. They can be made and walked; no text is parsed into them."""

PyCF_ONLY_AST = 0x400
PyCF_TYPE_COMMENTS = 0x1000
PyCF_ALLOW_TOP_LEVEL_AWAIT = 0x2000


class AST:
    _fields = ()
    _attributes = ()
    __match_args__ = ()

    def __init__(self, *args, **keywords):
        if len(args) > len(self._fields):
            name, most = type(self).__name__, len(self._fields)
            plural = "" if most == 1 else "s"
            raise TypeError(f"{name} constructor takes at most {most} positional argument{plural}")
        for name, value in zip(self._fields, args):
            if name in keywords:
                own = type(self).__name__
                raise TypeError(f"{own} got multiple values for argument {name!r}")
            setattr(self, name, value)
        for name, value in keywords.items():
            setattr(self, name, value)


# Each line is a kind and its alternatives with their fields; a field that may be missing has a `?`.
# The table is the abstract grammar of the documentation of `ast`.
_GRAMMAR = """
mod: Module(body,type_ignores) Interactive(body) Expression(body) FunctionType(argtypes,returns)
stmt: FunctionDef(name,args,body,decorator_list,returns?,type_comment?)
stmt: AsyncFunctionDef(name,args,body,decorator_list,returns?,type_comment?)
stmt: ClassDef(name,bases,keywords,body,decorator_list) Return(value?) Delete(targets)
stmt: Assign(targets,value,type_comment?) AugAssign(target,op,value)
stmt: AnnAssign(target,annotation,value?,simple) For(target,iter,body,orelse,type_comment?)
stmt: AsyncFor(target,iter,body,orelse,type_comment?) While(test,body,orelse)
stmt: If(test,body,orelse) With(items,body,type_comment?) AsyncWith(items,body,type_comment?)
stmt: Match(subject,cases) Raise(exc?,cause?) Try(body,handlers,orelse,finalbody)
stmt: TryStar(body,handlers,orelse,finalbody) Assert(test,msg?) Import(names)
stmt: ImportFrom(module?,names,level?) Global(names) Nonlocal(names) Expr(value) Pass() Break()
stmt: Continue()
expr: BoolOp(op,values) NamedExpr(target,value) BinOp(left,op,right) UnaryOp(op,operand)
expr: Lambda(args,body) IfExp(test,body,orelse) Dict(keys,values) Set(elts)
expr: ListComp(elt,generators) SetComp(elt,generators) DictComp(key,value,generators)
expr: GeneratorExp(elt,generators) Await(value) Yield(value?) YieldFrom(value)
expr: Compare(left,ops,comparators) Call(func,args,keywords)
expr: FormattedValue(value,conversion,format_spec?) JoinedStr(values) Constant(value,kind?)
expr: Attribute(value,attr,ctx) Subscript(value,slice,ctx) Starred(value,ctx) Name(id,ctx)
expr: List(elts,ctx) Tuple(elts,ctx) Slice(lower?,upper?,step?)
expr_context: Load() Store() Del()
boolop: And() Or()
operator: Add() Sub() Mult() MatMult() Div() Mod() Pow() LShift() RShift() BitOr() BitXor() BitAnd()
operator: FloorDiv()
unaryop: Invert() Not() UAdd() USub()
cmpop: Eq() NotEq() Lt() LtE() Gt() GtE() Is() IsNot() In() NotIn()
excepthandler: ExceptHandler(type?,name?,body)
pattern: MatchValue(value) MatchSingleton(value) MatchSequence(patterns)
pattern: MatchMapping(keys,patterns,rest?) MatchClass(cls,patterns,kwd_attrs,kwd_patterns)
pattern: MatchStar(name?) MatchAs(pattern?,name?) MatchOr(patterns)
type_ignore: TypeIgnore(lineno,tag)
AST: comprehension(target,iter,ifs,is_async) withitem(context_expr,optional_vars?)
AST: arguments(posonlyargs,args,vararg?,kwonlyargs,kw_defaults,kwarg?,defaults)
AST: arg(arg,annotation?,type_comment?) keyword(arg?,value) alias(name,asname?)
AST: match_case(pattern,guard?,body)
"""
_PLACES = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_WITH_PLACES = ("stmt", "expr", "excepthandler", "pattern", "arg", "keyword", "alias")


def _make(name, base, fields):
    body = {"__module__": "ast", "_fields": fields, "__match_args__": fields}
    if name in _WITH_PLACES:
        body["_attributes"] = _PLACES
        body["end_lineno"] = body["end_col_offset"] = None
    globals()[name] = type(name, (base,), body)


for _line in _GRAMMAR.strip().split("\n"):
    _kind, _, _rest = _line.partition(": ")
    if _kind not in globals():
        _make(_kind, AST, ())
    for _alternative in _rest.split():
        _name, _, _inner = _alternative[:-1].partition("(")
        _parts = [part for part in _inner.split(",") if part]
        _make(_name, globals()[_kind], tuple(part.rstrip("?") for part in _parts))
        for _part in _parts:
            if _part.endswith("?"):
                setattr(globals()[_name], _part[:-1], None)
AST.__module__ = "ast"
