"""Names that are one slip away from a popular package: what a typo, or someone who waits for it, would be called."""

import difflib
from collections.abc import Collection, Iterable
from typing import Final

from arreio_contracts.grounding import Ecosystem

from .distributions import normalised
from .import_names import IMPORT_NAMES

_PYPI = """
absl-py aiobotocore aiofiles aiohttp aiosignal airflow alembic altair annotated-types ansible anthropic anyio appdirs
arrow asgiref asyncpg attrs autopep8 awscli babel backoff bandit bcrypt beautifulsoup4 behave billiard black bleach
blinker bokeh boto boto3 botocore bottle build cachetools cattrs celery certifi cffi chardet charset-normalizer
cherrypy click cloudpickle colorama coloredlogs configobj configparser confluent-kafka coverage cryptography cython
dash dask databricks dateparser decorator deepdiff defusedxml deprecated dill distlib distro django
djangorestframework dnspython docker docopt docutils ecdsa elasticsearch email-validator et-xmlfile execnet fabric
factory-boy faker falcon fastapi fastavro filelock fire flake8 flask flask-cors flask-login flask-migrate
flask-sqlalchemy flit folium fonttools frozenlist fsspec future gensim gevent gitdb gitpython google-api-core
google-auth google-cloud-storage google-genai gradio graphene graphql-core greenlet grpcio gunicorn h11 h2 h5py hatch
hatchling html5lib httpcore httplib2 httptools httpx huggingface-hub humanize hypercorn hypothesis idna imageio
importlib-metadata importlib-resources iniconfig invoke ipykernel ipython ipywidgets isodate isort itsdangerous jax
jedi jinja2 jmespath joblib jsonlines jsonpatch jsonpath-ng jsonpointer jsonschema jupyter jupyterlab keras keyring
kombu kubernetes langchain langchain-core libcst lightgbm litellm llvmlite locust loguru lxml mako markdown
markdown-it-py markupsafe marshmallow matplotlib mccabe mistune mlflow mock moto mpmath msgpack multidict mypy
mypy-extensions mysqlclient nats-py nbconvert nbformat networkx ninja nltk nose nox numba numpy oauthlib omegaconf
openai opencv-python openpyxl opentelemetry-api opentelemetry-sdk optuna orjson packaging pandas paramiko parso
passlib pathspec pendulum peewee pexpect pika pillow pip pipenv platformdirs playwright plotly pluggy poetry polars
portalocker pre-commit prettytable prometheus-client prompt-toolkit protobuf psutil psycopg psycopg2 psycopg2-binary
ptyprocess pyarrow pyasn1 pybind11 pycodestyle pycparser pycryptodome pydantic pydantic-core pydantic-settings
pyflakes pygame pygithub pygments pyinstaller pyjwt pylint pymongo pymysql pynacl pyodbc pyopenssl pyparsing pyperclip
pyqt5 pyramid pyserial pyside6 pysocks pyspark pytest pytest-asyncio pytest-cov pytest-mock pytest-timeout
pytest-xdist python-dateutil python-dotenv python-jose python-multipart python-slugify pytorch-lightning pytz pywin32
pyyaml pyzmq rapidfuzz ray redis regex reportlab requests requests-oauthlib requests-toolbelt responses respx rich rsa
ruamel-yaml ruff s3fs s3transfer safetensors sanic scapy scikit-image scikit-learn scipy scrapy seaborn selenium
sentence-transformers sentencepiece sentry-sdk setuptools setuptools-scm shapely simplejson six slack-sdk smart-open
sniffio sortedcontainers soupsieve spacy sphinx sqlalchemy sqlmodel sqlparse starlette statsmodels streamlit structlog
sympy tabulate tenacity tensorboard tensorflow termcolor textual tiktoken tokenizers toml tomli tomlkit toolz torch
torchaudio torchvision tornado tox tqdm traitlets transformers trio twine twisted typeguard typer typing-extensions
tzdata tzlocal ujson unidecode uritemplate urllib3 uv uvicorn uvloop virtualenv waitress watchdog watchfiles wcwidth
webencodings websocket-client websockets werkzeug wheel wrapt xgboost xlrd xlsxwriter xmltodict yapf yarl zipp
zope-interface zstandard
"""
_NPM = """
acorn ajv angular ansi-styles apollo-server async autoprefixer aws-sdk axios babel-loader bcrypt bcryptjs bluebird
body-parser bootstrap browserify bull bullmq chai chalk cheerio chokidar classnames clsx colors commander compression
concurrently connect cookie-parser core-js cors cross-env cross-spawn crypto-js css-loader cypress d3 date-fns dayjs
debug deepmerge dotenv ejs electron ember-cli emotion enzyme esbuild eslint eslint-config-prettier
eslint-plugin-import eslint-plugin-react events execa express express-session express-validator fastify faker
file-loader firebase formik framer-motion fs-extra glob google-auth-library graphql graphql-tag grunt gulp handlebars
helmet hono html-webpack-plugin http-proxy-middleware husky i18next immer immutable inquirer ioredis isomorphic-fetch
jest jquery js-yaml jsdom jsonwebtoken karma knex koa left-pad lerna less lint-staged lodash lodash-es lru-cache
lucide-react luxon markdown-it marked material-ui memoize-one micromatch minimatch minimist mkdirp mobx mocha moment
mongodb mongoose morgan multer mysql mysql2 nanoid next next-auth nodemailer nodemon node-fetch node-sass nuxt nyc
openai ora parcel passport path-to-regexp pg pino playwright postcss prettier preact prisma prop-types puppeteer qs
query-string ramda react react-dom react-hook-form react-icons react-query react-redux react-router react-router-dom
react-scripts readable-stream recharts redis redux redux-saga redux-thunk request reselect rimraf rollup rxjs sass
sass-loader semver sequelize sharp shelljs sinon socket-io socket.io socket.io-client sqlite3 storybook stripe
style-loader styled-components supertest svelte swr tailwindcss terser three ts-jest ts-loader ts-node tslib tslint
turbo typeorm typescript underscore undici uuid validator vite vitest vue vue-router vuex webpack webpack-cli
webpack-dev-server winston ws xml2js yargs yup zod zustand
"""

_NAMED_ALIKE = (
    "bpython cchardet futures markdown2 marko motor ngboost nose2 pypdf pyshark pyside2 rtoml unicorn boto pg8000 "
    "python tomli fabric2 trino textblob pylama pyglet hjson hyper parse usort"
)

POPULAR: Final[dict[Ecosystem, frozenset[str]]] = {
    "pypi": frozenset((*_PYPI.split(), *IMPORT_NAMES)),
    "npm": frozenset(_NPM.split()),
}
"""Packages that many projects use, by ecosystem, under their normalised names."""

_KNOWN_BESIDE: Final[dict[Ecosystem, frozenset[str]]] = {
    "pypi": frozenset(_NAMED_ALIKE.split()),
    "npm": frozenset({"echarts", "enquirer", "preact", "pinia", "tsx", "koa-route"}),
}
"""Packages of good standing that happen to be called almost like a popular one."""
_SHORTEST: Final = 4
"""Shorter names are all near each other."""


def near_misses(ecosystem: Ecosystem, name: str) -> tuple[str, ...]:
    """Popular packages that `name` is one slip from; empty if it is one of them itself, or has a scope."""
    name = normalised(name) if ecosystem == "pypi" else name.lower()
    popular = POPULAR[ecosystem]
    if name in popular or name in _KNOWN_BESIDE[ecosystem] or name.startswith("@") or len(name) < _SHORTEST:
        return ()
    return tuple(sorted(known for known in popular if one_slip(name, known)))


def alike(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The names most like one that is not there, best first."""
    names: Collection[str] = known if isinstance(known, list | tuple | set | frozenset) else list(known)
    exact = [each for each in names if each.lower() == name.lower() and each != name]
    near = difflib.get_close_matches(name, names, n=most, cutoff=0.72)
    return tuple(dict.fromkeys((*exact, *near)))[:most]


def one_slip(name: str, known: str) -> bool:
    """Whether one letter was left out, added, mistaken or swapped with its neighbour, or separators were moved."""
    if len(known) < _SHORTEST or abs(len(name) - len(known)) > 1:
        return _squeezed(name) == _squeezed(known)
    if _squeezed(name) == _squeezed(known):
        return True
    start = 0
    while start < min(len(name), len(known)) and name[start] == known[start]:
        start += 1
    a, b = name[start:], known[start:]
    if len(a) > len(b):
        return a[1:] == b
    if len(a) < len(b):
        return b[1:] == a
    swapped = len(a) > 1 and a[0] == b[1] and a[1] == b[0] and a[2:] == b[2:]
    # A mistaken letter alone makes another word too often in short names: `mock`, `moch`.
    return swapped or (len(name) > _SHORTEST and a[1:] == b[1:])


def _squeezed(name: str) -> str:
    return name.replace("-", "").replace("_", "").replace(".", "")
