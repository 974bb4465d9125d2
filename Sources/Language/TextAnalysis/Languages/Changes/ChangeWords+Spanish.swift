extension ChangeWords {
    static let spanish: ChangeWords = {
        var words = ChangeWords()
        words.strong = phraseSet(
            """
            se pasa, se pasa a, se pasa al, pasa a ser, pasa al, pasamos a, pasan a, se aplaza, aplazado, aplazada, aplazamos,
            se retrasa, retrasado, retrasada, se adelanta, adelantado, adelantada, se mueve, movemos, aplazamos a, movido, movida, trasladado, trasladada,
            se traslada, cambio, cambia, cambiado, cambiada, cambiamos, cambio de planes, ya no, en vez de, en vez del, en lugar de,
            en lugar del, al final, finalmente, sino, mejor dicho, correccion, me equivoque, perdon, se queda en, volvemos a, de nuevo a,
            sustituye, reemplaza, sube a, baja a, se amplia, se alarga, a partir de ahora,
            pasamos, la pasamos, lo pasamos, lo movemos, la movemos, se pospone, pospuesto, pospuesta, posponemos, atrasamos, se atrasa,
            retrasamos, adelantamos, rectifico, cambio de fecha, cambio de hora, cambio de lugar,
            ha subido a, ha bajado a, han subido a, subimos a, bajamos a, sube de, pasa de, pasamos de, ahora es, ahora sera,
            es ahora, sera ahora, otra vez permitido, vuelve a ser, volvera a ser, volvemos al, vuelve al
            """)
        words.reversals = phraseSet(
            "al final, finalmente, en vez de, en vez del, en lugar de, en lugar del, cambio de planes, volvemos a")
        words.corrections = phraseSet(
            """
            correccion, rectifico, rectificacion, me equivoque, me he equivocado, corrijo, cambio de planes, error mio, mejor dicho,
            pensandolo bien, pensandolo mejor, lo he pensado mejor
            """)
        words.announcements = phraseSet(
            "nueva fecha, nuevo horario, nuevo lugar, nuevo precio, nueva hora, nuevo plazo")
        words.now = ["ahora", "desde ahora"]
        words.conclusions = ["entonces", "pues entonces", "vale entonces", "asi que"]
        words.origins = ["de"]
        words.targets = ["a"]
        words.weak = phraseSet("ahora, nuevo, nueva, desde ahora, pero, sigue")
        words.endings = phraseSet(
            """
            cancelado, cancelada, cancelados, canceladas, se cancela, cancelamos, anulado, anulada, se anula, suspendido, suspendida,
            se suspende, descartado, descartada, descartamos, queda cancelado, ya no,
            no se hace, no se hara, no habra, queda anulado, queda anulada, queda cancelada, queda descartado, no usamos, no cogemos
            """)
        words.split = [("al final", "no"), ("final", "no"), ("no", "al final")]
        words.formerMarks = phraseSet(
            "en vez de, en vez del, en lugar de, en lugar del, no, ya no, y no, no es, no el, era, eran, antes, no a")
        words.proposals = phraseSet(
            """
            podemos, podriamos, podria, y si, preferiria, prefiero, me gustaria, quiza, quizas, tal vez, propongo, propuesta, sugiero,
            que os parece, seria mejor, deberiamos, a lo mejor,
            podriais, y si lo, y si la, estaria bien, vendria mejor, movamos, pasemos, por que no, habria que
            """)
        words.conditions = ["si"]
        words.requests = ["por favor", "porfa"]
        words.ends = ["fin", "final", "finales"]
        words.acceptances = phraseSet(
            "si, vale, ok, de acuerdo, perfecto, me va bien, hecho, genial, claro, buena idea, aprobado, muy bien, bien"
        )
        words.refusals = phraseSet("no, imposible, lo siento, tampoco")
        words.decisions = phraseSet(
            """
            decidido, decision, decidimos, acordado, acordamos, hemos acordado, elegido, elegimos, nos quedamos con, quedamos en,
            aprobado, aprobada
            """)
        words.roles = phraseSet(
            """
            se encarga, se encargara, me encargo, encargado, encargada, responsable, lleva, llevo, hace, hago, se ocupa, me ocupo,
            coordina, escribe, en lugar de, sustituye
            """)
        words.placeMarks = phraseSet("en, en la, en el, a la")
        words.rooms = phraseSet("sala, aula, planta, edificio, oficina, anden, despacho")
        words.plain = phraseSet(
            """
            viejo, vieja, antiguo, antigua,
            sera, seran, empieza, empiezan, comienza, sale, salimos, llega, hoy, manana, hola, hay, decidido, decision, previsto,
            prevista, recordad, recordatorio, lunes, martes, miercoles, jueves, viernes, sabado, domingo, otra vez, vez, fecha, hora,
            semana, mes, dia, cuesta, costara, desde, hacia, vamos, poner, planes, queda
            """)
        words.replacedBy = "sustituido por"
        return words
    }()
}
