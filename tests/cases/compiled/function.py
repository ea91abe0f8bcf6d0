"""The rules of book, compiled from book.xlsx. Edit the workbook, not this."""

from dtables.compiled import compiled_by

compiled_by('0.1.0', 'book.xlsx')

from dtables.feel.functions.numbers import ceiling_of, floor_of
from dtables.feel.types import (
    BooleanType,
    ListType,
    NumberType,
    OptionalType,
    RecordType,
    RestrictedType,
    TextType,
    VocabularyType,
)
from dtables.feel.values import as_plain, divide
from dtables.runtime import (
    Answer,
    Ask,
    Branch,
    Consistency,
    Counted,
    Draw,
    FieldShape,
    KeyedRow,
    NOT_FOUND,
    Need,
    Place,
    Record,
    RecordShape,
    Rules,
    Shapes,
    TableEntry,
    Turn,
    UNREAD,
    WhenOpen,
    attempt,
    by_value,
    by_vocabulary,
    computes,
    exact_names,
    fill,
    limit,
    misread,
    names,
    no_entry,
    no_row_fires,
    once,
    plain_names,
    product,
    rows,
    the_earliest_plain,
    the_lowest,
    the_one,
    those_true,
    tiers,
    too_often,
)

RULESET = 'book'
VERSION = 'edfb96f6d57b'


# -- words, records, data ------------------------------------------------------------------------------------


class CarrierRow(KeyedRow):
    """Data: carrier (Words!A12)."""

    __slots__ = ('days', 'zones', 'insured', '__dict__')
    STORED = {'days': 'days', 'zones': 'zones', 'insured': 'insured'}


TIER = names(plain_names(('basic', 'gold', 'staff')))
EACH_TIER = list(TIER.values())
ZONE = names(plain_names(('home', 'near', 'far')))
EACH_ZONE = list(ZONE.values())
SIZE = names(plain_names(('small', 'large')))
EACH_SIZE = list(SIZE.values())
CARRIER = names(rows(CarrierRow, 'carrier', ('snail', 'hare', 'swift')))
EACH_CARRIER = list(CARRIER.values())
SWITCH_ROUND = exact_names(plain_names(('UP', 'DOWN')))
EACH_SWITCH_ROUND = list(SWITCH_ROUND.values())


class Parcel(Record):
    """Record: parcel (Words!A24)."""

    __slots__ = ('weight', 'fragile', '__dict__')
    STORED = {'weight': 'weight', 'fragile': 'fragile'}
    record_type = 'parcel'

    def __init__(self, weight, fragile):
        self.weight = weight
        self.fragile = fragile


class SwitchRules(Record):
    """Record: switch rules (Words!A38)."""

    __slots__ = ('round',)
    STORED = {'ROUND': 'round'}
    record_type = 'switch rules'

    def __init__(self, round):
        self.round = round


class State(Turn):
    """Input: state (Words!A30)."""

    __slots__ = (
        'rules',
        'tier',
        'zone',
        'age',
        'parcels',
        'chosen',
        'rules_if_given',
        'zone_if_given',
        'age_if_given',
        'chosen_if_given',
        'round',
    )
    record_type = 'state'
    STORED = {'rules': 'rules_if_given', 'tier': 'tier', 'zone': 'zone_if_given', 'age': 'age_if_given', 'parcels': 'parcels', 'chosen': 'chosen_if_given'}
    REQUIRED = {'rules': 'rules', 'zone': 'zone', 'age': 'age', 'chosen': 'chosen'}
    MISSING = {
        'rules': ('rules', 'switch rules', 'book.xlsx!Words!B38'),
        'zone': ('zone', 'zone', 'book.xlsx!Words!A33'),
        'age': ('age', 'age', 'book.xlsx!Words!A34'),
        'chosen': ('chosen', 'carrier', 'book.xlsx!Words!A36'),
    }
    CARRIERS = ()
    SWITCHES = (
        ('round', 'rules', 'ROUND', 'UP'),
    )


fill(
    CARRIER,
    ('days', 'zones', 'insured'),
    [
        (9, ['home', 'near'], False),  # Words!A15
        (2, ['home', 'near', 'far'], True),  # Words!A16
        (2, ['far'], False),  # Words!A17
    ],
)


def carrier_reaches(turn, this):
    """carrier: reaches (Words!A21)."""
    return turn.zone_if_given in this.zones  # Words!A21


def carrier_slow(this):
    """carrier: slow (Words!A22)."""
    return this.days > 5  # Words!A22


def parcel_size(this):
    """parcel: size (Words!A28)."""
    return 'large' if this.weight > 2000 else 'small'  # Words!A28


# -- tables --------------------------------------------------------------------------------------------------


BASE = {
    ('home', 'small'): 3,  # Tables!B4
    ('home', 'large'): 5,  # Tables!C4
    ('near', 'small'): 4,  # Tables!B5
    ('near', 'large'): 8,  # Tables!C5
    ('far', 'small'): 9,  # Tables!B6
    ('far', 'large'): 20,  # Tables!C6
}


def base(zone, size):
    """Matrix: base (Tables!A1)."""
    try:
        return BASE[zone, size]
    except KeyError:
        raise no_entry('base', 'book.xlsx!Tables!A1:C6', zone, size) from None


FAVOURITES = {
    'home': [CARRIER['snail'], CARRIER['hare'], CARRIER['swift']],  # Tables!B11
    'near': [CARRIER['hare'], CARRIER['snail'], CARRIER['swift']],  # Tables!C11
    'far': [CARRIER['swift'], CARRIER['hare'], CARRIER['snail']],  # Tables!D11
}


def favourites(zone):
    """Matrix: favourites (Tables!A8)."""
    try:
        return FAVOURITES[zone]
    except KeyError:
        raise no_entry('favourites', 'book.xlsx!Tables!A8:D13', zone) from None


def weight_in_all(turn):
    """Formula: weight in all (Tables!A17)."""
    return sum([item.weight for item in turn.parcels])  # Tables!C17


def reachable(turn):
    """Formula: reachable (Tables!A18)."""
    return [item for item in EACH_CARRIER if carrier_reaches(turn, item)]  # Tables!C18


def fee(turn, p):
    """Formula: fee (Tables!A19)."""
    return base(turn.zone, p.size) + (2 if p.fragile else 0)  # Tables!C19


def due(turn, percent):
    """Formula: due (Tables!A21)."""
    reduced = once(lambda: attempt('due', 'book.xlsx!Tables!C25@0-35', divide, product(sum([fee(turn, p) for p in turn.parcels]), 100 - percent, 'due', 'book.xlsx!Tables!C25@0-29'), 100))  # Tables!C25
    return attempt('due', 'book.xlsx!Tables!C26@19-35', ceiling_of, reduced()) if turn.round == 'UP' else attempt('due', 'book.xlsx!Tables!C26@41-55', floor_of, reduced())  # Tables!C26


def discount(turn):
    """Decision: discount (Tables!A28)."""
    if turn.tier == 'staff':  # Tables!A31
        return 50  # Tables!D31
    if turn.tier == 'gold' and turn.age_if_given is not None and turn.age_if_given >= 65:  # Tables!A32
        return 30  # Tables!D32
    if turn.tier == 'gold':  # Tables!A33
        return 20  # Tables!D33
    if turn.age_if_given is not None and turn.age_if_given < 12 or turn.age_if_given is not None and turn.age_if_given >= 65:  # Tables!A34
        return 10  # Tables!D34
    return 0  # Tables!D35


def class_of_case(grams):
    return 1  # Tables!D40


def class_of_case_2(grams):
    if grams < 5001:
        if grams < 501:
            return 2  # Tables!D41
        return 3  # Tables!D42
    return 4  # Tables!D43


def class_of_case_3(grams):
    if grams <= 5000:
        return 1  # Tables!D44
    if grams > 5000:
        return 2  # Tables!D45
    raise no_row_fires('class of', 'book.xlsx!Tables!A37:D46')


def class_of_case_4(grams):
    return 1  # Tables!D46


CLASS_OF = {
    'basic': {'home': class_of_case, 'near': class_of_case_2, 'far': class_of_case_2},
    'gold': {'home': class_of_case_3, 'near': class_of_case_3, 'far': class_of_case_3},
    'staff': {'home': class_of_case_4, 'near': class_of_case_4, 'far': class_of_case_4},
}


def class_of(t, z, grams):
    """Decision: class of (Tables!A37)."""
    return CLASS_OF[t][z](grams)


def remarks(turn):
    """Decision: remarks (Tables!A48)."""
    hits = []
    if turn.weight_in_all > 10000:  # Tables!A51
        hits.append('heavy')  # Tables!B51
    if any(p.fragile for p in turn.parcels):  # Tables!A52
        hits.append('fragile')  # Tables!B52
    if turn.round == 'DOWN':  # Tables!A53
        hits.append('rounded down')  # Tables!B53
    return hits


def way_out(turn, c):
    """Decision: way out (Tables!A55)."""
    if c.slow:  # Tables!A58
        taken = items[0] if (items := [item for item in [CARRIER['swift'], CARRIER['hare']] if item in turn.reachable]) else None  # Tables!B58
        if taken is not None:
            return taken
    taken_2 = c if c.insured else None  # Tables!B59
    if taken_2 is not None:
        return taken_2
    return None  # Tables!C55


def carrier_to_take_equals(turn, candidates):
    left = candidates
    if len(left) > 1:  # 1 lowest, Tables!A64
        left = the_lowest(left, [item.days for item in left])
    if len(left) > 1 and turn.weight_in_all > 1000:  # 2 yes, Tables!A65
        left = those_true(left, [carrier_reaches(turn, item) if item.insured else None for item in left])
    if len(left) > 1:  # 3 first in, Tables!A66
        order = favourites(turn.zone)
        left = the_earliest_plain(left, left, order)
    return left


def carrier_to_take(turn, candidates):
    """Scale: carrier to take (Tables!A61)."""
    return the_one(carrier_to_take_equals(turn, candidates), 'carrier to take', 'book.xlsx!Tables!E66')


def carrier_to_take_ranking(turn, candidates):
    return tiers(candidates, lambda candidates: carrier_to_take_equals(turn, candidates))


computes(CarrierRow, {'slow': carrier_slow})
CarrierRow.COMPUTED_FIELDS = {'slow': 'slow'}
CarrierRow.BY_TURN = {'reaches': carrier_reaches}
computes(Parcel, {'size': parcel_size})
Parcel.COMPUTED_FIELDS = {'size': 'size'}
computes(State, {'weight_in_all': weight_in_all, 'reachable': reachable, 'discount': discount, 'remarks': remarks})


# -- asks ----------------------------------------------------------------------------------------------------


class ShippingBranch(Branch):
    """Ask: shipping (Questions!A1)."""


def shipping_best(branch):
    return carrier_to_take(branch.turn, branch.turn.reachable)  # Questions!C5


def shipping_taken_options(branch):
    return [item for item in branch.turn.reachable if item.days == (None if branch.best is None else branch.best.days)]  # Questions!C6


def shipping_carrier(branch):
    return None if branch.taken is None else branch.taken.id  # Questions!C7


def shipping_alternative(branch):
    return None if (it := None if branch.taken is None else way_out(branch.turn, branch.taken)) is None else it.id  # Questions!C8


def shipping_percent(branch):
    return limit(branch.turn.discount, 'shipping', 'book.xlsx!Questions!C9')  # Questions!C9


def shipping_due(branch):
    return attempt('shipping', 'book.xlsx!Questions!C10', as_plain, due(branch.turn, branch.turn.discount))  # Questions!C10


def shipping_remarks(branch):
    return [*branch.turn.remarks]  # Questions!C11


def shipping_ranking(branch):
    return [[one_2.id for one_2 in one] for one in attempt('shipping', 'book.xlsx!Questions!C12@0-37', carrier_to_take_ranking, branch.turn, EACH_CARRIER)]  # Questions!C12


computes(ShippingBranch, {'best': shipping_best})


def shipping_settled(branch):
    options = shipping_taken_options(branch)
    if options and len(options) > 1:
        return None
    branch.taken = options[0] if options else None
    return {'carrier': shipping_carrier(branch), 'alternative': shipping_alternative(branch), 'percent': shipping_percent(branch), 'due': shipping_due(branch), 'remarks': shipping_remarks(branch), 'ranking': shipping_ranking(branch)}


shipping_ask = Ask(
    'shipping', ShippingBranch, (), shipping_settled, (
        Need(('zone',), 'zone', 'book.xlsx!Questions!A3', False, None),
        Need(('parcels',), 'list of parcel', 'book.xlsx!Questions!A4', True, None),
        Draw('taken', shipping_taken_options, ('chosen',), None, 'book.xlsx!Questions!A6', 'book.xlsx!Questions!C6'),
        Answer('carrier', shipping_carrier, by_vocabulary(CARRIER)),
        Answer('alternative', shipping_alternative, by_vocabulary(CARRIER)),
        Answer('percent', shipping_percent, by_value),
        Answer('due', shipping_due, by_value),
        Answer('remarks', shipping_remarks, None),
        Answer('ranking', shipping_ranking, None),
    ),
)


# -- checks --------------------------------------------------------------------------------------------------


def of_parcels_n_1(turn, item, _key, position):
    return item.fragile and item.weight > 20000


OF_PARCELS_CHECKS = (
    Consistency((), 'too heavy for a fragile parcel', 'book.xlsx!Questions!A16', (Place(('parcels',), None), ), of_parcels_n_1, ('weight',)),
)


def counted_n_1(turn, item):
    return item


COUNTED_CHECKS = (
    Counted((), 'a third parcel of the same weight', 'book.xlsx!Questions!A20', (Place(('parcels', 'weight'), None),), counted_n_1, 2),
)


def anything_wrong(turn, ask):
    """Do the checks find anything? They are told apart only then."""
    for item in turn.parcels:
        if item.fragile and item.weight > 20000:  # Questions!A16
            return True
    seen = [item_2 for each in turn.parcels for item_2 in (each.weight,)]  # Questions!A20
    if too_often(seen, 2):
        return True
    return False


# -- reading -------------------------------------------------------------------------------------------------


READ_PARCEL_KEYS = frozenset(('weight', 'fragile', ))
READ_SWITCH_RULES_KEYS = frozenset(('ROUND', ))
STATE_KEYS = frozenset(('rules', 'tier', 'zone', 'age', 'parcels', 'chosen', ))
TYPE_GRAMS = RestrictedType(name='grams', of=NumberType(whole=True))
TYPE_BOOLEAN = BooleanType()
TYPE_SWITCH_ROUND = OptionalType(of=VocabularyType(name='switch ROUND', root='switch ROUND'))
TYPE_SWITCH_RULES = OptionalType(of=RecordType(name='switch rules'))
TYPE_TIER = VocabularyType(name='tier', root='tier')
TYPE_ZONE = OptionalType(of=VocabularyType(name='zone', root='zone'))
TYPE_AGE = OptionalType(of=RestrictedType(name='age', of=NumberType(whole=True)))
TYPE_LIST_OF_PARCEL = ListType(item=RecordType(name='parcel'))
TYPE_CARRIER = OptionalType(of=VocabularyType(name='carrier', root='carrier'))
FEE_PARAMETERS = frozenset(('p', ))
DUE_PARAMETERS = frozenset(('percent', ))
WAY_OUT_PARAMETERS = frozenset(('c', ))
CARRIER_TO_TAKE_PARAMETERS = frozenset(('candidates', ))
TYPE_ZONE_2 = VocabularyType(name='zone', root='zone')
TYPE_SIZE = VocabularyType(name='size', root='size')
TYPE_PARCEL = RecordType(name='parcel')
TYPE_WHOLE_NUMBER = NumberType(whole=True)
TYPE_CARRIER_2 = VocabularyType(name='carrier', root='carrier')
TYPE_LIST_OF_CARRIER = ListType(item=VocabularyType(name='carrier', root='carrier'))
TYPE_NUMBER = NumberType(whole=False)
TYPE_LIST_OF_TEXT = ListType(item=TextType())
TYPE_LIST_OF_LIST_OF_CARRIER = ListType(item=ListType(item=VocabularyType(name='carrier', root='carrier')))


def as_age(value):
    return value if 0 <= value <= 120 else misread()


def as_grams(value):
    return value if 1 <= value <= 30000 else misread()


def read_parcel(given, turn):
    if type(given) is not dict or not given.keys() <= READ_PARCEL_KEYS:
        misread()
    get = given.get
    weight_ = get('weight')
    weight_ = 1 if weight_ is None else weight_ if type(weight_) is int and 1 <= weight_ <= 30000 else misread()
    fragile_ = get('fragile')
    fragile_ = False if fragile_ is None else fragile_ if fragile_ is True or fragile_ is False else misread()
    return Parcel(weight_, fragile_)


def read_switch_rules(given, turn):
    if type(given) is not dict or not given.keys() <= READ_SWITCH_RULES_KEYS:
        misread()
    get = given.get
    round_ = get('ROUND')
    round_ = None if round_ is None else SWITCH_ROUND[round_]
    return SwitchRules(round_)


def read_state(given, path):
    if type(given) is not dict or not given.keys() <= STATE_KEYS:
        misread()
    turn = State(path)
    turn.given = given
    get = given.get
    rules_ = get('rules')
    if rules_ is None:
        turn.rules_if_given = None
    else:
        turn.rules = turn.rules_if_given = read_switch_rules(rules_, turn)
    tier_ = get('tier')
    turn.tier = 'basic' if tier_ is None else TIER[tier_]
    zone_ = get('zone')
    if zone_ is None:
        turn.zone_if_given = None
    else:
        turn.zone = turn.zone_if_given = ZONE[zone_]
    age_ = get('age')
    if age_ is None:
        turn.age_if_given = None
    else:
        turn.age = turn.age_if_given = age_ if type(age_) is int and 0 <= age_ <= 120 else misread()
    parcels_ = get('parcels')
    turn.parcels = [] if parcels_ is None else [read_parcel(parcels__, turn) for parcels__ in parcels_] if type(parcels_) is list else misread()
    chosen_ = get('chosen')
    if chosen_ is None:
        turn.chosen_if_given = None
    else:
        turn.chosen = turn.chosen_if_given = CARRIER[chosen_]
    if turn.rules_if_given is None:
        turn.round = 'UP'
    else:
        turn.round = turn.rules_if_given.round or 'UP'
    return turn


def complete_switch_rules(given, turn, absent_2):
    keys = 1 * len(given)
    for this in given:
        if this.round is absent_2 or this.round is None:
            keys -= this.round is absent_2
            this.round = None
    return keys


def complete_parcel(given, turn, absent_2):
    keys = 2 * len(given)
    for this in given:
        if this.weight is absent_2 or this.weight is None:
            keys -= this.weight is absent_2
            this.weight = 1
        else:
            if not 1 <= this.weight <= 30000:
                misread()
        if this.fragile is absent_2 or this.fragile is None:
            keys -= this.fragile is absent_2
            this.fragile = False
    return keys


def complete_state(given, path, absent_2):
    turn = State(path)
    keys = 6
    it = given.rules_if_given
    if it is absent_2 or it is None:
        turn.rules_if_given = None
        keys -= it is absent_2
    else:
        keys += complete_switch_rules((it,), turn, absent_2)
        turn.rules = turn.rules_if_given = it
    it = given.tier
    if it is absent_2 or it is None:
        keys -= it is absent_2
        it = 'basic'
    turn.tier = it
    it = given.zone_if_given
    if it is absent_2 or it is None:
        turn.zone_if_given = None
        keys -= it is absent_2
    else:
        turn.zone = turn.zone_if_given = it
    it = given.age_if_given
    if it is absent_2 or it is None:
        turn.age_if_given = None
        keys -= it is absent_2
    else:
        if not 0 <= it <= 120:
            misread()
        turn.age = turn.age_if_given = it
    it = given.parcels
    if it is absent_2 or it is None:
        keys -= it is absent_2
        it = []
    else:
        keys += complete_parcel(it, turn, absent_2)
    turn.parcels = it
    it = given.chosen_if_given
    if it is absent_2 or it is None:
        turn.chosen_if_given = None
        keys -= it is absent_2
    else:
        turn.chosen = turn.chosen_if_given = it
    if turn.rules_if_given is None:
        turn.round = 'UP'
    else:
        turn.round = turn.rules_if_given.round or 'UP'
    return turn, keys


NAMES = {'tier': TIER, 'zone': ZONE, 'size': SIZE, 'carrier': CARRIER, 'switch ROUND': SWITCH_ROUND}
SHAPES = Shapes(
    state='state',
    records={
        'parcel': RecordShape('parcel', Parcel, lambda turn, *values: Parcel(*values), 'book.xlsx!Words!A24:D28', (
            FieldShape('weight', TYPE_GRAMS, 'book.xlsx!Words!A26', lambda turn: 1, None),
            FieldShape('fragile', TYPE_BOOLEAN, 'book.xlsx!Words!A27', lambda turn: False, None),
        )),
        'switch rules': RecordShape('switch rules', SwitchRules, lambda turn, *values: SwitchRules(*values), 'book.xlsx!Words!A38:C40', (
            FieldShape('ROUND', TYPE_SWITCH_ROUND, 'book.xlsx!Words!A40', None, None),
        )),
        'state': RecordShape('state', State, None, 'book.xlsx!Words!A30:C36', (
            FieldShape('rules', TYPE_SWITCH_RULES, 'book.xlsx!Words!B38', None, None),
            FieldShape('tier', TYPE_TIER, 'book.xlsx!Words!A32', lambda turn: 'basic', None),
            FieldShape('zone', TYPE_ZONE, 'book.xlsx!Words!A33', None, None),
            FieldShape('age', TYPE_AGE, 'book.xlsx!Words!A34', None, None),
            FieldShape('parcels', TYPE_LIST_OF_PARCEL, 'book.xlsx!Words!A35', lambda turn: [], None),
            FieldShape('chosen', TYPE_CARRIER, 'book.xlsx!Words!A36', None, None),
        )),
    },
    vocabularies=NAMES,
    restrictions={'age': (as_age, '[0..120]'), 'grams': (as_grams, '[1..30000]')},
    fixed={},
)


PLAYED = {
    'shipping': {'carrier': TYPE_CARRIER, 'alternative': TYPE_CARRIER, 'percent': TYPE_WHOLE_NUMBER, 'due': TYPE_NUMBER, 'remarks': TYPE_LIST_OF_TEXT, 'ranking': TYPE_LIST_OF_LIST_OF_CARRIER},
}


def base_given(given):
    try:
        if len(given) == 2:
            return BASE[given['zone'], given['size']]
    except NOT_FOUND:
        pass
    try:
        if len(given) != 2:
            misread()
        zone = given['zone']
        zone = ZONE[zone]
        size = given['size']
        size = SIZE[size]
    except UNREAD as unread:
        return RULES.call('base', given, unread)
    return base(zone, size)


def favourites_given(given):
    try:
        if len(given) == 1:
            return [one.id for one in FAVOURITES[given['zone']]]
    except NOT_FOUND:
        pass
    try:
        if len(given) != 1:
            misread()
        zone = given['zone']
        zone = ZONE[zone]
    except UNREAD as unread:
        return RULES.call('favourites', given, unread)
    return [one.id for one in favourites(zone)]


def weight_in_all_given(given):
    try:
        turn = read_state(given, '')
    except UNREAD as unread:
        return RULES.call('weight in all', given, unread)
    return limit(weight_in_all(turn), 'weight in all', 'book.xlsx!Tables!A17@0-13')


def reachable_given(given):
    try:
        turn = read_state(given, '')
    except UNREAD as unread:
        return RULES.call('reachable', given, unread)
    return [one.id for one in reachable(turn)]


def fee_given(given):
    try:
        turn = read_state({key: given[key] for key in given if key not in FEE_PARAMETERS}, '')
        p = given['p']
        p = read_parcel(p, turn)
    except UNREAD as unread:
        return RULES.call('fee', given, unread)
    return limit(fee(turn, p), 'fee', 'book.xlsx!Tables!A19@0-3')


def due_given(given):
    try:
        turn = read_state({key: given[key] for key in given if key not in DUE_PARAMETERS}, '')
        percent = given['percent']
        percent = percent if type(percent) is int else misread()
    except UNREAD as unread:
        return RULES.call('due', given, unread)
    return attempt('due', 'book.xlsx!Tables!A21:C26', as_plain, due(turn, percent))


def discount_given(given):
    try:
        turn = read_state(given, '')
    except UNREAD as unread:
        return RULES.call('discount', given, unread)
    return discount(turn)


def class_of_given(given):
    try:
        grams = given['grams']
        if len(given) == 3 and type(grams) is int and 1 <= grams <= 30000:
            return CLASS_OF[given['t']][given['z']](grams)
    except NOT_FOUND:
        pass
    try:
        if len(given) != 3:
            misread()
        t = given['t']
        t = TIER[t]
        z = given['z']
        z = ZONE[z]
        grams = given['grams']
        grams = grams if type(grams) is int and 1 <= grams <= 30000 else misread()
    except UNREAD as unread:
        return RULES.call('class of', given, unread)
    return class_of(t, z, grams)


def remarks_given(given):
    try:
        turn = read_state(given, '')
    except UNREAD as unread:
        return RULES.call('remarks', given, unread)
    return [*remarks(turn)]


def way_out_given(given):
    try:
        turn = read_state({key: given[key] for key in given if key not in WAY_OUT_PARAMETERS}, '')
        c = given['c']
        c = CARRIER[c]
    except UNREAD as unread:
        return RULES.call('way out', given, unread)
    return None if (it := way_out(turn, c)) is None else it.id


def carrier_to_take_given(given):
    try:
        turn = read_state({key: given[key] for key in given if key not in CARRIER_TO_TAKE_PARAMETERS}, '')
        candidates = given['candidates']
        candidates = [CARRIER[candidates_] for candidates_ in candidates] if type(candidates) is list else misread()
    except UNREAD as unread:
        return RULES.call('carrier to take', given, unread)
    return None if (it := carrier_to_take(turn, candidates)) is None else it.id


# -- what is asked from outside ------------------------------------------------------------------------------


ASKS = {'shipping': shipping_ask}
RULES = Rules(
    State, SHAPES, read_state, complete_state, ASKS,
    {name: tuple(c for c in (*OF_PARCELS_CHECKS, *COUNTED_CHECKS,) if not c.asks or name in c.asks) for name in ASKS},
    anything_wrong,
    {
        'base': TableEntry(lambda turn, *values: base(*values), (('zone', TYPE_ZONE_2), ('size', TYPE_SIZE), ), 'book.xlsx!Tables!A1:C6'),
        'favourites': TableEntry(lambda turn, *values: favourites(*values), (('zone', TYPE_ZONE_2), ), 'book.xlsx!Tables!A8:D13'),
        'weight in all': TableEntry(weight_in_all, (), 'book.xlsx!Tables!A17@0-13'),
        'reachable': TableEntry(reachable, (), 'book.xlsx!Tables!A18@0-9'),
        'fee': TableEntry(fee, (('p', TYPE_PARCEL), ), 'book.xlsx!Tables!A19@0-3'),
        'due': TableEntry(due, (('percent', TYPE_WHOLE_NUMBER), ), 'book.xlsx!Tables!A21:C26'),
        'discount': TableEntry(discount, (), 'book.xlsx!Tables!A28:D35'),
        'class of': TableEntry(lambda turn, *values: class_of(*values), (('t', TYPE_TIER), ('z', TYPE_ZONE_2), ('grams', TYPE_GRAMS), ), 'book.xlsx!Tables!A37:D46'),
        'remarks': TableEntry(remarks, (), 'book.xlsx!Tables!A48:B53'),
        'way out': TableEntry(way_out, (('c', TYPE_CARRIER_2), ), 'book.xlsx!Tables!A55:B59'),
        'carrier to take': TableEntry(carrier_to_take, (('candidates', TYPE_LIST_OF_CARRIER), ), 'book.xlsx!Tables!A61:E66'),
    },
    PLAYED,
)
TABLES = {
    'base': base_given,
    'favourites': favourites_given,
    'weight in all': weight_in_all_given,
    'reachable': reachable_given,
    'fee': fee_given,
    'due': due_given,
    'discount': discount_given,
    'class of': class_of_given,
    'remarks': remarks_given,
    'way out': way_out_given,
    'carrier to take': carrier_to_take_given,
}
answer = RULES.answer
reply = RULES.reply
