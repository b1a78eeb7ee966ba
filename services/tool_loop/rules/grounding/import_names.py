"""Distributions whose import names are others than their own, and modules that no distribution brings."""

from collections.abc import Mapping
from typing import Final

_RENAMED = """
absl-py absl
adafruit-blinka board busio digitalio analogio microcontroller pulseio pwmio
adafruit-circuitpython-dht adafruit_dht
antlr4-python3-runtime antlr4
apache-airflow airflow
apache-beam apache_beam
apache-flink pyflink
apache-superset superset
argon2-cffi argon2
attrs attr attrs
authlib authlib
aws-cdk-lib aws_cdk
azure-identity azure.identity
azure-storage-blob azure.storage.blob
beautifulsoup4 bs4
biopython Bio BioSQL
bitarray bitarray
box2d-py Box2D
camelot-py camelot
cassandra-driver cassandra
charset-normalizer charset_normalizer
confluent-kafka confluent_kafka
cython Cython cython pyximport
databricks-sdk databricks
dbus-python dbus
delta-spark delta
discord-py discord
django-allauth allauth
django-ckeditor ckeditor
django-compressor compressor
django-cors-headers corsheaders
django-crispy-forms crispy_forms
django-debug-toolbar debug_toolbar
django-environ environ
django-filter django_filters
django-guardian guardian
django-import-export import_export
django-model-utils model_utils
django-mptt mptt
django-phonenumber-field phonenumber_field
django-redis django_redis
django-simple-history simple_history
django-storages storages
django-taggit taggit
django-widget-tweaks widget_tweaks
djangorestframework rest_framework
djangorestframework-simplejwt rest_framework_simplejwt
dm-haiku haiku
dm-sonnet sonnet
dm-tree tree
dnspython dns
docker-compose compose
earthengine-api ee
eccodes eccodes gribapi
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
gdal osgeo osr ogr gdal
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
google-search-results serpapi
googleapis-common-protos google.api google.rpc google.type
graphql-core graphql
grpcio grpc
grpcio-health-checking grpc_health
grpcio-reflection grpc_reflection
grpcio-status grpc_status
grpcio-tools grpc_tools
hydra-core hydra
ibm-cos-sdk ibm_boto3
imbalanced-learn imblearn
importlib-metadata importlib_metadata
ipython IPython
jinja2 jinja2
jpype1 jpype
jupyter jupyter
jupyter-client jupyter_client
kafka-python kafka
kubernetes kubernetes
lark-parser lark
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
newspaper3k newspaper
nvidia-ml-py pynvml
odfpy odf
opencv-contrib-python cv2
opencv-contrib-python-headless cv2
opencv-python cv2
opencv-python-headless cv2
opensearch-py opensearchpy
opentelemetry-api opentelemetry
opentelemetry-sdk opentelemetry.sdk
paho-mqtt paho
panda3d panda3d direct
pdfminer-six pdfminer
phonenumbers phonenumbers
pillow PIL
pinecone-client pinecone
pip-tools piptools
prometheus-client prometheus_client
prompt-toolkit prompt_toolkit
protobuf google.protobuf
psycopg-binary psycopg psycopg_binary
psycopg2-binary psycopg2
py-cord discord
py-cpuinfo cpuinfo
py-moneyed moneyed
pyahocorasick ahocorasick
pyaudio pyaudio
pybluez bluetooth
pycairo cairo
pycrypto Crypto
pycryptodome Crypto
pycryptodomex Cryptodome
pyenchant enchant
pyfiglet pyfiglet
pygithub github
pygobject gi
pyhamcrest hamcrest
pyicu icu
pyinstaller PyInstaller
pyjwt jwt
pykka pykka
pymongo pymongo bson gridfs
pymupdf fitz pymupdf
pymysql pymysql
pynacl nacl
pyobjc objc Foundation AppKit Cocoa Quartz
pyobjc-core objc
pyopengl OpenGL
pyopenssl OpenSSL
pypdf2 PyPDF2
pypiwin32 win32api win32con win32gui win32com pythoncom pywintypes
pyqt5 PyQt5
pyqt6 PyQt6
pyserial serial
pyside6 PySide6 shiboken6
pysocks socks
pystan stan pystan
pystray pystray
pytelegrambotapi telebot
pytest pytest _pytest
pytest-asyncio pytest_asyncio
pytest-xdist xdist
python-arango arango
python-barcode barcode
python-bidi bidi
python-box box
python-can can
python-chess chess
python-constraint constraint
python-consul consul
python-crontab crontab
python-dateutil dateutil
python-decouple decouple
python-docx docx
python-dotenv dotenv
python-engineio engineio
python-frontmatter frontmatter
python-gitlab gitlab
python-gnupg gnupg
python-hcl2 hcl2
python-igraph igraph
python-jenkins jenkins
python-jose jose
python-json-logger pythonjsonlogger
python-keystoneclient keystoneclient
python-ldap ldap
python-levenshtein Levenshtein
python-logstash logstash
python-louvain community
python-magic magic
python-memcached memcache
python-multipart multipart python_multipart
python-nmap nmap
python-novaclient novaclient
python-pam pam
python-pptx pptx
python-rapidjson rapidjson
python-slugify slugify
python-snappy snappy
python-socketio socketio
python-tds pytds
python-telegram-bot telegram
python-twitter twitter
python-ulid ulid
python-vlc vlc
python-whois whois
python-xlib Xlib
pythonnet clr clr_loader System
pytorch-lightning pytorch_lightning lightning_fabric
pytz pytz
pyusb usb
pywin32 win32api win32con win32gui win32com pythoncom pywintypes win32file win32event win32process win32service
pyxdg xdg
pyyaml yaml _yaml
pyyaml-env-tag yaml_env_tag
pyzbar pyzbar
pyzmq zmq
rank-bm25 rank_bm25
rdkit-pypi rdkit
readme-renderer readme_renderer
reportlab reportlab
robotframework robot
rpi-gpio RPi RPi.GPIO
ruamel-yaml ruamel.yaml
ruamel-yaml-clib _ruamel_yaml
scikit-bio skbio
scikit-build skbuild
scikit-image skimage
scikit-learn sklearn
scikit-multilearn skmultilearn
scikit-optimize skopt
scikit-plot scikitplot
scikit-surprise surprise
scikit-video skvideo
sentence-transformers sentence_transformers
sentry-sdk sentry_sdk
setuptools setuptools pkg_resources _distutils_hack distutils
simple-salesforce simple_salesforce
simpleitk SimpleITK
slack-sdk slack_sdk
slackclient slack
smbus-cffi smbus
snowflake-connector-python snowflake.connector
speechrecognition speech_recognition
sphinx-rtd-theme sphinx_rtd_theme
spotipy spotipy
stdlib-list stdlib_list
stomp-py stomp
systemd-python systemd
ta-lib talib
tabula-py tabula
tensorflow-cpu tensorflow
tensorflow-gpu tensorflow
torch torch functorch torchgen
tree-sitter tree_sitter
typing-extensions typing_extensions
umap-learn umap
unidecode unidecode
unittest-xml-reporting xmlrunner
uproot uproot
usd-core pxr
vine vine
vtk vtk vtkmodules
weaviate-client weaviate
web-py web
websocket-client websocket
wxpython wx
xlsxwriter xlsxwriter
youtube-dl youtube_dl
yt-dlp yt_dlp
z3-solver z3
zeroc-ice Ice
zope-interface zope.interface
zstandard zstandard
"""

IMPORT_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    words[0]: tuple(words[1:]) for line in _RENAMED.strip().splitlines() if (words := line.split())
}
"""Import names of distributions that are not called like what they install."""

_HOSTED = """
FreeCAD FreeCADGui ROOT Rhino adsk ament_index_python apt apt_inst apt_pkg arcpy awsglue bmesh bpy c4d carb cv_bridge
cppyy dbutils dnf dolfin gdb geometry_msgs ghidra gimpfu guestfs hawkey hou idaapi idautils idc inkex java javax
jnius js launch_ros libvirt lldb machine mathutils matlab maya micropython mobase nav_msgs nuke omni petsc4py pyb pymel
pyodide pyodide_js qgis rclpy rhinoscriptsyntax roslib rospy rp2 rpm sage selinux semanage sensor_msgs std_msgs
sublime sublime_plugin tf2_ros unreal utime vim weechat xbmc xbmcaddon xbmcgui xbmcplugin xbmcvfs yum
"""

HOSTED: Final = frozenset(_HOSTED.split())
"""Modules that only a program with a Python inside, or an operating system's own packages, bring."""
