"""How distributions are called: normalised names, and those whose import names are others."""

import re
from collections.abc import Mapping
from typing import Final

_SEPARATORS = re.compile(r"[-_.]+")
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?=$|[;<>=!~@(,\s#])")

_RENAMED = """
absl-py absl
antlr4-python3-runtime antlr4
apache-airflow airflow
argon2-cffi argon2
attrs attr attrs
authlib authlib
azure-identity azure.identity
azure-storage-blob azure.storage.blob
beautifulsoup4 bs4
biopython Bio BioSQL
bitarray bitarray
charset-normalizer charset_normalizer
confluent-kafka confluent_kafka
cython Cython cython pyximport
discord-py discord
django-cors-headers corsheaders
django-debug-toolbar debug_toolbar
django-environ environ
django-filter django_filters
django-redis django_redis
djangorestframework rest_framework
djangorestframework-simplejwt rest_framework_simplejwt
dnspython dns
docker-compose compose
ecdsa ecdsa
elasticsearch-dsl elasticsearch_dsl
email-validator email_validator
factory-boy factory
faiss-cpu faiss
faiss-gpu faiss
fake-useragent fake_useragent
ffmpeg-python ffmpeg
flask-sqlalchemy flask_sqlalchemy
fonttools fontTools
future future past builtins
gitpython git gitdb
google-ai-generativelanguage google.ai.generativelanguage
google-api-core google.api_core google.api
google-api-python-client googleapiclient apiclient
google-auth google.auth google.oauth2
google-auth-oauthlib google_auth_oauthlib
google-cloud-aiplatform google.cloud.aiplatform vertexai
google-cloud-bigquery google.cloud.bigquery
google-cloud-core google.cloud
google-cloud-firestore google.cloud.firestore
google-cloud-pubsub google.pubsub google.cloud.pubsub
google-cloud-secret-manager google.cloud.secretmanager
google-cloud-storage google.cloud.storage
google-genai google.genai
google-generativeai google.generativeai
googleapis-common-protos google.api google.rpc google.type
graphql-core graphql
grpcio grpc
grpcio-tools grpc_tools
hydra-core hydra
imbalanced-learn imblearn
importlib-metadata importlib_metadata
ipython IPython
jinja2 jinja2
jupyter jupyter
jupyter-client jupyter_client
kafka-python kafka
kubernetes kubernetes
ldap3 ldap3
levenshtein Levenshtein
lxml-html-clean lxml_html_clean
markdown markdown
markdown-it-py markdown_it
markupsafe markupsafe
matplotlib matplotlib mpl_toolkits pylab
memory-profiler memory_profiler
microsoft-kiota-abstractions kiota_abstractions
msgpack-python msgpack
mysql-connector-python mysql
mysqlclient MySQLdb
nats-py nats
nvidia-ml-py pynvml
opencv-contrib-python cv2
opencv-contrib-python-headless cv2
opencv-python cv2
opencv-python-headless cv2
opentelemetry-api opentelemetry
opentelemetry-sdk opentelemetry.sdk
paho-mqtt paho
pdfminer-six pdfminer
phonenumbers phonenumbers
pillow PIL
pip-tools piptools
prometheus-client prometheus_client
prompt-toolkit prompt_toolkit
protobuf google.protobuf
psycopg-binary psycopg psycopg_binary
psycopg2-binary psycopg2
py-cpuinfo cpuinfo
pyaudio pyaudio
pycairo cairo
pycrypto Crypto
pycryptodome Crypto
pycryptodomex Cryptodome
pyfiglet pyfiglet
pygithub github
pygobject gi
pyhamcrest hamcrest
pyinstaller PyInstaller
pyjwt jwt
pykka pykka
pymongo pymongo bson gridfs
pymupdf fitz pymupdf
pymysql pymysql
pynacl nacl
pyobjc objc
pyopengl OpenGL
pyopenssl OpenSSL
pypdf2 PyPDF2
pyqt5 PyQt5
pyqt6 PyQt6
pyserial serial
pyside6 PySide6 shiboken6
pysocks socks
pystray pystray
pytelegrambotapi telebot
pytest pytest _pytest
pytest-asyncio pytest_asyncio
pytest-xdist xdist
python-barcode barcode
python-bidi bidi
python-box box
python-crontab crontab
python-dateutil dateutil
python-decouple decouple
python-docx docx
python-dotenv dotenv
python-engineio engineio
python-frontmatter frontmatter
python-gitlab gitlab
python-gnupg gnupg
python-igraph igraph
python-jenkins jenkins
python-jose jose
python-json-logger pythonjsonlogger
python-ldap ldap
python-levenshtein Levenshtein
python-magic magic
python-multipart multipart python_multipart
python-nmap nmap
python-pptx pptx
python-rapidjson rapidjson
python-slugify slugify
python-snappy snappy
python-socketio socketio
python-telegram-bot telegram
python-ulid ulid
python-vlc vlc
python-whois whois
python-xlib Xlib
pytorch-lightning pytorch_lightning lightning_fabric
pytz pytz
pyusb usb
pywin32 win32api win32con win32gui win32com pythoncom pywintypes win32file win32event win32process win32service
pyxdg xdg
pyyaml yaml _yaml
pyzbar pyzbar
pyzmq zmq
rank-bm25 rank_bm25
readme-renderer readme_renderer
reportlab reportlab
robotframework robot
ruamel-yaml ruamel.yaml
ruamel-yaml-clib _ruamel_yaml
scikit-image skimage
scikit-learn sklearn
scikit-optimize skopt
sentence-transformers sentence_transformers
sentry-sdk sentry_sdk
setuptools setuptools pkg_resources _distutils_hack distutils
simple-salesforce simple_salesforce
slack-sdk slack_sdk
snowflake-connector-python snowflake.connector
speechrecognition speech_recognition
sphinx-rtd-theme sphinx_rtd_theme
spotipy spotipy
stdlib-list stdlib_list
tensorflow-cpu tensorflow
tensorflow-gpu tensorflow
torch torch functorch torchgen
tree-sitter tree_sitter
typing-extensions typing_extensions
umap-learn umap
unidecode unidecode
uproot uproot
vine vine
websocket-client websocket
wxpython wx
xlsxwriter xlsxwriter
zope-interface zope.interface
zstandard zstandard
"""

IMPORT_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    words[0]: tuple(words[1:]) for line in _RENAMED.strip().splitlines() if (words := line.split())
}
"""Import names of distributions that are not called like what they install."""


def normalised(name: str) -> str:
    """A distribution's name as registries compare it (PEP 503)."""
    return _SEPARATORS.sub("-", name).lower()


def required_name(line: str) -> str | None:
    """The normalised distribution of a requirement such as `PyYAML[x]>=6; extra == "y"`; None: it names none."""
    found = _REQUIREMENT.match(line)
    return normalised(found.group(1)) if found else None


def import_names(distribution: str) -> tuple[str, ...]:
    """What a distribution (by its normalised name) lets one import, as far as its name tells."""
    known = IMPORT_NAMES.get(distribution)
    if known:
        return known
    bare = distribution.removeprefix("types-").removesuffix("-stubs")
    if bare != distribution:
        return import_names(bare)
    words = distribution.replace("-", "_")
    return (words, distribution.replace("-", "."))


def may_provide(distribution: str, dotted: str) -> bool:
    """Whether a distribution may be where a module comes from; a doubt is a yes."""
    wanted = dotted.lower()
    for name in import_names(distribution):
        lower = name.lower()
        if wanted == lower or wanted.startswith(f"{lower}.") or lower.startswith(f"{wanted}."):
            return True
    if distribution in IMPORT_NAMES:
        return False
    top = normalised(dotted.partition(".")[0])
    squeezed, whole = top.replace("-", ""), distribution.replace("-", "")
    if top in distribution.split("-") or squeezed == whole:
        return True
    return squeezed in (whole.removeprefix("py"), whole.removeprefix("python"), whole.removesuffix("py"))


def distributions_of(dotted: str) -> tuple[str, ...]:
    """The names under which a registry may have what installs a module: known ones, else those made of its name."""
    known = [
        name
        for name, modules in IMPORT_NAMES.items()
        if any(dotted == module or (dotted.startswith(f"{module}.") and module not in NAMESPACES) for module in modules)
    ]
    if known:
        return tuple(known)
    top = dotted.partition(".")[0]
    if "." not in dotted or top not in NAMESPACES:
        return (normalised(top),)
    two, three = (".".join(dotted.split(".")[:size]) for size in (2, 3))
    return tuple(dict.fromkeys(normalised(name) for name in (two, three) if name not in NAMESPACES))


NAMESPACES: Final = frozenset(
    {
        "google",
        "google.cloud",
        "google.api",
        "azure",
        "zope",
        "backports",
        "jaraco",
        "ruamel",
        "sphinxcontrib",
        "aws_cdk",
    }
)
"""Namespaces that many distributions share, each with a part of its own."""
