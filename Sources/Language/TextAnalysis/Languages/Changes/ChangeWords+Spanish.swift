extension ChangeWords {
    static let spanish: ChangeWords = {
        var words = ChangeWords()
        words.strong = phraseSet(
            """
            se pasa, se pasa a, se pasa al, pasa a ser, pasa al, pasamos a, pasan a, se aplaza, aplazado, aplazada, aplazamos,
            se retrasa, retrasado, retrasada, se adelanta, adelantado, adelantada, se mueve, movemos, aplazamos a, movido, movida, trasladado, trasladada,
            se traslada, cambio, cambia, cambiado, cambiada, cambiamos, cambio de planes, ya no, en vez de, en vez del, en lugar de,
            en lugar del, al final, finalmente, sino, mejor dicho, correccion, me equivoque, perdon, se queda en, volvemos a, de nuevo a,
            sustituye, reemplaza, sube a, baja a, se amplia, se alarga, nueva fecha, nuevo horario, a partir de ahora
            """)
        words.reversals = phraseSet(
            "al final, finalmente, en vez de, en vez del, en lugar de, en lugar del, cambio de planes, volvemos a")
        words.weak = phraseSet("ahora, nuevo, nueva, desde ahora, pero, sigue")
        words.endings = phraseSet(
            """
            cancelado, cancelada, cancelados, canceladas, se cancela, cancelamos, anulado, anulada, se anula, suspendido, suspendida,
            se suspende, descartado, descartada, descartamos, queda cancelado, ya no
            """)
        words.split = [("al final", "no"), ("final", "no"), ("no", "al final")]
        words.formerMarks = phraseSet(
            "en vez de, en vez del, en lugar de, en lugar del, no, ya no, y no, no es, no el, era, eran, antes, no a")
        words.proposals = phraseSet(
            """
            podemos, podriamos, podria, y si, preferiria, prefiero, me gustaria, quiza, quizas, tal vez, propongo, propuesta, sugiero,
            que os parece, seria mejor, deberiamos, a lo mejor
            """)
        words.conditions = ["si"]
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
            sera, seran, empieza, empiezan, comienza, sale, salimos, llega, hoy, manana, hola, hay, decidido, decision, previsto,
            prevista, recordad, recordatorio, lunes, martes, miercoles, jueves, viernes, sabado, domingo, otra vez, vez, fecha, hora,
            semana, mes, dia, cuesta, costara, desde, hacia, vamos, poner, planes, queda
            """)
        words.replacedBy = "sustituido por"
        return words
    }()
}
