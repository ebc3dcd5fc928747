# A module that a program imports.
VALUE = 'from helper'


def double(x):
    return x * 2
