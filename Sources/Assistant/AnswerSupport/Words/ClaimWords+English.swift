extension ClaimWords {
    static let english: ClaimWords = {
        var words = ClaimWords()
        words.numbers = wordTable(
            """
            0 zero, 2 two both, 3 three, 4 four, 5 five, 6 six, 7 seven, 8 eight, 9 nine, 10 ten, 11 eleven,
            12 twelve dozen, 13 thirteen, 14 fourteen, 15 fifteen, 16 sixteen, 17 seventeen, 18 eighteen, 19 nineteen,
            20 twenty, 30 thirty, 40 forty fourty, 50 fifty, 60 sixty, 70 seventy, 80 eighty, 90 ninety
            """)
        words.multipliers = ["hundred": 100, "thousand": 1_000, "k": 1_000, "million": 1e6, "mio": 1e6, "billion": 1e9]
        words.numberJoints = ["and"]
        words.ordinals = wordTable(
            """
            1 1st, 2 2nd twice, 3 third 3rd thrice, 4 fourth 4th, 5 fifth 5th, 6 sixth 6th, 7 seventh 7th, 8 eighth 8th,
            9 ninth 9th, 10 tenth 10th
            """)
        words.halves = ["half"]
        words.amounts = ["fortnight": (14 * 1_440, Unit(.time))]
        words.units = [
            "second": .init(.time, 1.0 / 60), "seconds": .init(.time, 1.0 / 60), "minute": .init(.time),
            "minutes": .init(.time), "mins": .init(.time), "hour": .init(.time, 60), "hours": .init(.time, 60),
            "hr": .init(.time, 60), "hrs": .init(.time, 60), "day": .init(.time, 1_440), "days": .init(.time, 1_440),
            "week": .init(.time, 10_080), "weeks": .init(.time, 10_080), "month": .init(.months),
            "months": .init(.months), "year": .init(.months, 12), "years": .init(.months, 12),
            "percent": .init(.percent), "per cent": .init(.percent), "pound": .init(.pound), "pounds": .init(.pound),
            "quid": .init(.pound), "dollar": .init(.dollar), "dollars": .init(.dollar), "bucks": .init(.dollar),
            "yen": .init(.yen), "kilograms": .init(.mass, 1_000), "kilogram": .init(.mass, 1_000),
            "grams": .init(.mass), "tonnes": .init(.mass, 1e6), "tons": .init(.mass, 1e6), "metres": .init(.length),
            "meters": .init(.length), "miles": .init(.length, 1609.344), "kilometres": .init(.length, 1_000),
            "kilometers": .init(.length, 1_000), "degrees": .init(.temperature), "litres": .init(.volume),
            "liters": .init(.volume),
        ]
        words.negations = wordSet(
            """
            not no never none nobody nothing nowhere neither nor cannot cant dont doesnt didnt isnt arent wasnt wont
            shouldnt mustnt t without unable nope
            """)
        words.rejections = ["instead of", "rather than", "previously", "formerly", "unlike", "drop", "dropped", "skip"]
        words.contrasts = wordSet("and but")
        words.impliedNegations = wordSet(
            """
            cancelled canceled off lack lacks lacking missing fails failed free unable stopped rejected refused declined
            denied unavailable absent ill sick closed broken needed
            """)
        words.telling = wordSet("against other others another all only before after more less")
        words.opposites = oppositePairs(
            """
            before / after
            first / last second
            earlier sooner / later
            next upcoming coming / last previous past
            more most / less fewer least
            higher / lower
            increase increases increased rise rises rose raised up extended grown grew grows widened / decrease decreases \
            decreased fell falls reduced down shortened narrowed shrunk dropped
            needed required / enough sufficient
            chosen choose chose decision decided / undecided
            open opens opened reopened reopen opening / closed closes shut closing
            accepted accept approved approve agreed agrees yes passed granted / rejected reject refused refuses declined \
            denied turned no
            won win wins / lost lose loses
            allowed may permitted / forbidden banned prohibited mustn mustnt
            free gratis / paid pay chargeable
            cheaper cheap / expensive dearer pricier
            front / back rear side
            left / right
            morning am / evening pm
            start starts begin begins began / end ends ended finish finishes
            early / late
            remote remotely online / onsite person
            full / empty
            new / old
            buy buys bought / sell sells sold
            cancelled canceled dropped / confirmed kept
            on running working / off
            keep keeps kept / drop drops given
            works working / broken crashed
            stay stays remain remains / leave leaves
            longer / shorter
            staging / production
            alive / dead
            with / without
            """)
        words.reports = wordSet(
            """
            said says say wrote writes mentioned mentions reported reports according told tells announced announces
            confirmed confirms asked asks explained explains stated states suspects suspect thinks think plans plan
            wants want believes noted notes message people supposed
            """)
        words.writer = ["i", "me", "my", "mine", "myself", "im", "ive", "ill", "we", "our", "us"]
        words.fillers = wordSet(
            """
            takes take place happens happen carried held hold also however therefore currently now so far roughly
            about
            approximately around once planned plan located found there still has have had get gets got be been is are
            was were will would must should can could do does done supposed as soon mentioned sources source messages
            make makes made go goes going went
            """)
        words.ignorance = [
            "don t know", "do not know", "no information", "couldn t find", "could not find", "cannot find",
            "not mentioned", "do not say", "don t say", "does not say", "no answer", "not find any", "unable to find",
            "nothing about", "sources do not", "messages do not", "not enough information", "can t find",
        ]
        words.courtesies = wordSet(
            """
            hi hello hey thanks thank you welcome sure certainly great happy help helps helpful hope here glad please let
            me know if any anything else further questions question need assistance assist feel free ask more have
            """)
        words.clauseLeads = wordSet("but because although while whereas so then and since which")
        words.before = ["before"]
        words.after = ["after"]
        words.first = wordSet("first firstly")
        words.next = wordSet("then next afterwards afterward later finally lastly last")
        words.than = ["than"]
        words.more = ["more", "better", "worse"]
        words.less = wordSet("less fewer")
        words.comparativeEndings = ["er"]
        words.roles = [
            "from": "from", "to": "to", "by": "by", "for": "for", "with": "with", "against": "against", "than": "than",
        ]
        return words
    }()
}
