# One server of Halfmoon; docs/deployment.md says how to run it.
#   docker build -t halfmoon .
#   docker run --rm -p 8501:8501 --memory 4g --cpus 2 halfmoon
FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    NUMBA_CACHE_DIR=/home/halfmoon/.cache/numba \
    HALFMOON_CACHE=/home/halfmoon/.cache/halfmoon \
    HALFMOON_DATA=/data

RUN useradd --create-home --uid 10001 halfmoon && mkdir /data
WORKDIR /app

# What changes least comes first: a new version of the app installs nothing again.
COPY requirements.txt ./
COPY requirements requirements
RUN python -m pip install -r requirements.txt

COPY app.py LICENSE ./
COPY .streamlit .streamlit
COPY common common
COPY datasets datasets
COPY docs/tables/cells docs/tables/cells
COPY halfmoon halfmoon
COPY ssl_core ssl_core
COPY stage stage
COPY scenario scenario
COPY pages pages

USER halfmoon
# Compiled loops lie in the image; on another kind of processor they are compiled again.
RUN python -m halfmoon.pages._parts.running.warming

VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.address=0.0.0.0", "--server.port=8501"]
