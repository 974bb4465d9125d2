extension ClaimWords {
    static let spanish: ClaimWords = {
        var words = ClaimWords()
        words.numbers = wordTable(
            """
            0 cero, 2 dos ambos ambas, 3 tres, 4 cuatro, 5 cinco, 6 seis, 7 siete, 8 ocho, 9 nueve, 10 diez, 11 once,
            12 doce
            docena, 13 trece, 14 catorce, 15 quince, 16 dieciseis, 17 diecisiete, 18 dieciocho, 19 diecinueve,
            20 veinte,
            21 veintiuno veintiun, 22 veintidos, 23 veintitres, 24 veinticuatro, 25 veinticinco, 26 veintiseis,
            27 veintisiete, 28 veintiocho, 29 veintinueve, 30 treinta, 40 cuarenta, 50 cincuenta, 60 sesenta,
            70 setenta,
            80 ochenta, 90 noventa, 100 cien ciento, 200 doscientos doscientas, 300 trescientos trescientas,
            400 cuatrocientos cuatrocientas, 500 quinientos quinientas, 600 seiscientos, 700 setecientos,
            800 ochocientos, 900 novecientos
            """)
        words.multipliers = ["mil": 1_000, "millon": 1e6, "millones": 1e6]
        words.numberJoints = ["y"]
        words.ordinals = wordTable(
            """
            1 primero primera primer, 2 segundo segunda, 3 tercero tercera tercer, 4 cuarto cuarta, 5 quinto quinta,
            6 sexto sexta, 7 septimo septima, 8 octavo octava, 9 noveno novena, 10 decimo decima
            """)
        words.halves = ["medio", "media"]
        words.amounts = [
            "quincena": (14 * 1_440, Unit(.time)), "quince dias": (14 * 1_440, Unit(.time)),
            "trimestre": (3, Unit(.months)),
        ]
        words.units = [
            "segundo": .init(.time, 1.0 / 60), "segundos": .init(.time, 1.0 / 60), "minuto": .init(.time),
            "minutos": .init(.time), "hora": .init(.time, 60), "horas": .init(.time, 60), "dia": .init(.time, 1_440),
            "dias": .init(.time, 1_440), "semana": .init(.time, 10_080), "semanas": .init(.time, 10_080),
            "mes": .init(.months), "meses": .init(.months), "ano": .init(.months, 12), "anos": .init(.months, 12),
            "por ciento": .init(.percent), "dolar": .init(.dollar), "dolares": .init(.dollar),
            "kilogramos": .init(.mass, 1_000), "gramos": .init(.mass), "toneladas": .init(.mass, 1e6),
            "metros": .init(.length), "kilometros": .init(.length, 1_000), "grados": .init(.temperature),
            "litros": .init(.volume),
        ]
        words.negations = wordSet("no nunca jamas nada nadie ningun ninguna ninguno sin ni tampoco")
        words.rejections = ["en vez", "en lugar", "anteriormente"]
        words.contrasts = wordSet("y pero sino")
        words.impliedNegations = wordSet(
            """
            cancela cancelado cancelada suspende suspendida falta faltan gratis gratuito rechazado rechazada rechaza
            niega
            prohibido ausente enfermo enferma cerrado cerrada averiado averiada necesita necesitan necesitamos
            """)
        words.telling = wordSet("contra otro otra otros otras demas todos todas solo antes despues mas menos")
        words.opposites = oppositePairs(
            """
            antes / despues tras
            primero primera primer / ultimo ultima
            proximo proxima viene entrante / pasado pasada
            mas / menos
            sube suben subio aumenta aumentan crecido aumento / baja bajan bajo disminuye reduce
            abierto abierta abre / cerrado cerrada cierra
            acepta aceptan aprobo aprobado aprobada permite si / rechazado rechaza rechazada rechazo niega
            ganamos gano gana ganaron / perdio perdimos pierde
            permitido / prohibido
            gratis gratuito cuesta / pago
            barato barata / caro cara
            manana / tarde noche
            empieza empiezan comienza comienzan inicio / termina acaba fin
            pronto temprano / tarde
            videollamada linea remoto / presencial persona
            nuevas nuevo nueva nuevos / cambiar cambiarle viejo
            compra compro / vende vendio
            cancela cancelado cancelada suspende / mantiene funciona normalidad
            ida van / vuelta vuelven regresan
            con / sin
            marcha curso / terminado terminada
            esperen esperar / empezad empezar
            rapido / lento tarda
            """)
        words.reports = wordSet(
            """
            dijo dice dicen escribio escribe segun menciona indica anuncio explica pide cree piensa opina confirma
            mensaje
            """)
        words.writer = [
            "yo", "me", "mi", "mis", "conmigo", "nosotros", "nuestro", "nuestra", "he", "soy", "estoy", "tengo", "mio",
        ]
        words.fillers = wordSet(
            """
            es son era fue fueron sera seran esta estan estara ha han hay haber ser estar tiene tienen debe deben
            puede
            pueden tambien sin embargo actualmente aproximadamente unos unas aun ya se lleva llevan hace hacen hacer
            celebra queda que hay fuentes mensajes ir va
            """)
        words.fillers.remove("sin")
        words.fillers.remove("va")
        words.ignorance = [
            "no lo se", "no se sabe", "no hay informacion", "ninguna informacion", "no encuentro", "no he encontrado",
            "no mencionan", "no se menciona", "no indican", "sin respuesta", "no se encontro",
        ]
        words.courtesies = wordSet(
            """
            hola gracias buenos dias claro por supuesto aqui tienes de nada encantado espero que te le ayude sirva esto
            si tiene mas preguntas pregunta no dudes dude en preguntar alguna
            """)
        words.clauseLeads = wordSet("pero porque aunque mientras entonces y luego pues sino")
        words.before = ["antes"]
        words.after = wordSet("despues tras")
        words.first = wordSet("primero")
        words.next = wordSet("luego finalmente")
        words.than = ["que"]
        words.more = wordSet("mas mejor mayor")
        words.less = wordSet("menos menor peor")
        words.roles = [
            "de": "de", "del": "de", "a": "a", "al": "a", "por": "por", "para": "para", "con": "con",
            "contra": "contra", "que": "que",
        ]
        return words
    }()
}
