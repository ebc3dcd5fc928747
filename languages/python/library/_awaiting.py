"""What builtin functions about `await` are in Python."""


async def item_or_default(asked, default):
    """`anext(iterator, default)`, which asks for the next item."""
    try:
        return await asked
    except StopAsyncIteration:
        return default
