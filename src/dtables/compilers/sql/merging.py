"""What an answer is while a draw is open: the values of all outcomes, merged."""

from __future__ import annotations

from sqlglot import exp

from dtables.compilers.sql.catalogues import constant_list
from dtables.compilers.sql.lists import count
from dtables.compilers.sql.loops import filtered, has_any
from dtables.compilers.sql.operations import XConcat, XContains, XDistinct, XItem, XList, XSort
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.shapes import BOOLEAN, TEXT, data_type, list_of
from dtables.compilers.sql.terms import FALSE, NULL, TRUE, Tree, case, is_null, literal, not_null, typed
from dtables.feel.types import BooleanType, NumberType, Type, VocabularyType, may_be_null, plain


class Different:
    """The different ones of a list of values, in order."""

    def __init__(self, name: str, values: Tree, of: Type, scope: Scope) -> None:
        self._of, self._scope = of, scope
        self._kind = data_type(of, scope.plan.stored) or TEXT
        listed = list_of(self._kind)
        self._listed = listed
        self.values = scope.held_as(f"{name} values", typed(XDistinct(this=values), listed), listed)

    def merged(self) -> Tree:
        """The value, where all are equal."""
        alone = exp.EQ(this=count(self.values), expression=literal(1))
        return case([(alone, typed(XItem(this=self.values, expression=literal(1)), self._kind))])

    def open(self) -> Tree:
        """Where they are several: they, in the order of their type; null where not."""
        several = exp.GT(this=count(self.values), expression=literal(1))
        return case([(several, self._with_null(self._in_order()))])

    def _in_order(self) -> Tree:
        """Without null. What has no order of its own stays in the order of the draw."""
        match plain(self._of):
            case VocabularyType(root=root):
                names = [literal(label.id) for label in self._scope.plan.vocabularies[root].names]
                return self._among(constant_list(f"each {root}", names, self._listed, self._scope.plan))
            case BooleanType():
                return self._among(typed(XList(expressions=[FALSE, TRUE]), self._listed))
            case NumberType():
                return typed(XSort(this=self._there()), self._listed)
            case _:
                return self._there()

    def _among(self, every: Tree) -> Tree:
        one = self._scope.plan.variable("each", self._kind)
        return filtered(every, one, typed(XContains(this=self.values, expression=one), BOOLEAN))

    def _there(self) -> Tree:
        one = self._scope.plan.variable("value", self._kind)
        return filtered(self.values, one, not_null(one)) if may_be_null(self._of) else self.values

    def _with_null(self, present: Tree) -> Tree:
        """Null stands last."""
        if not may_be_null(self._of):
            return present
        one = self._scope.plan.variable("value", self._kind)
        null = typed(XList(expressions=[exp.Cast(this=NULL, to=self._kind)]), self._listed)
        nothing = typed(XList(expressions=[]), self._listed)
        last = case([(has_any(self.values, one, is_null(one)), null)], nothing)
        return typed(XConcat(expressions=[present, last]), self._listed)
