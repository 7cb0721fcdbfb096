{{- define "signalbox.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "signalbox.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "signalbox.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "signalbox.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that never change: selectors use them. Takes (dict "root" $ "component" "api"), and "build" for workers with versions. */}}
{{- define "signalbox.selector" -}}
app.kubernetes.io/name: {{ include "signalbox.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- with .build }}
signalbox/build: {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "signalbox.labels" -}}
{{ include "signalbox.selector" . }}
app.kubernetes.io/version: {{ (.image | default .root.Values.image).tag | default .root.Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | quote }}
{{- end -}}

{{- define "signalbox.image" -}}
{{- include "signalbox.imageOf" (dict "image" .Values.image "version" .Chart.AppVersion) -}}
{{- end -}}

{{- define "signalbox.imageOf" -}}
{{- if .image.digest -}}
{{ .image.repository }}@{{ .image.digest }}
{{- else -}}
{{ .image.repository }}:{{ .image.tag | default .version }}
{{- end -}}
{{- end -}}

{{/* What an image is called in names and labels. Takes an image, and its chart's appVersion as "version". */}}
{{- define "signalbox.build" -}}
{{- .image.digest | default (.image.tag | default .version) | lower | replace "sha256:" "" | replace "." "-" | replace "_" "-" | trunc 30 | trimAll "-" -}}
{{- end -}}

{{- define "signalbox.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "signalbox.fullname" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{- define "signalbox.secret" -}}
{{ required "secrets.existingSecret: name the Secret that holds DATABASE_URL, DATABASE_OWNER_URL and SIGNALBOX_SECRET_KEY" .Values.secrets.existingSecret }}
{{- end -}}

{{/* How a process reaches Temporal, and the name of its workers' versions there. */}}
{{- define "signalbox.temporalEnv" -}}
- name: TEMPORAL_ADDRESS
  value: {{ required "temporal.address: the frontend of Temporal, host:port" .Values.temporal.address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .Values.temporal.namespace | quote }}
{{- with .Values.temporal.uiUrl }}
- name: TEMPORAL_UI_URL
  value: {{ . | quote }}
{{- end }}
{{- with .Values.workers.versions.name }}
- name: TEMPORAL_DEPLOYMENT_NAME
  value: {{ . | quote }}
{{- end }}
{{- with .Values.temporal.apiKey }}
{{- if .secret }}
- name: TEMPORAL_API_KEY
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }} } }
{{- end }}
{{- end }}
{{- with .Values.temporal.tls }}
{{- if .enabled }}
- name: TEMPORAL_TLS
  value: 'true'
{{- if .serverName }}
- name: TEMPORAL_TLS_SERVER_NAME
  value: {{ .serverName | quote }}
{{- end }}
{{- if and .secret .ca }}
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /etc/signalbox/temporal/ca.crt
{{- end }}
{{- if and .secret .client }}
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /etc/signalbox/temporal/tls.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /etc/signalbox/temporal/tls.key
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Settings of api and workers that are secrets: by reference only. */}}
{{- define "signalbox.secretEnv" -}}
{{- range $env, $key := .Values.secrets.env }}
- name: {{ $env }}
  valueFrom: { secretKeyRef: { name: {{ include "signalbox.secret" $ }}, key: {{ $key }} } }
{{- end }}
{{- range .Values.secretRefs }}
- name: {{ .env }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }}{{ if .optional }}, optional: true{{ end }} } }
{{- end }}
{{- end -}}

{{/* Writable folders: the root filesystem is read-only. */}}
{{- define "signalbox.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
{{- if .Values.storage.enabled }}
- { name: blobs, mountPath: /data/blobs }
{{- end }}
{{- include "signalbox.temporalMount" . }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "signalbox.temporalMount" -}}
{{- if and .Values.temporal.tls.enabled .Values.temporal.tls.secret }}
- { name: temporal-tls, mountPath: /etc/signalbox/temporal, readOnly: true }
{{- end }}
{{- end -}}

{{- define "signalbox.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: {{ .Values.scratch.tmp }} } }
- { name: data, emptyDir: { sizeLimit: {{ .Values.scratch.data }} } }
{{- if .Values.storage.enabled }}
- name: blobs
  persistentVolumeClaim: { claimName: {{ .Values.storage.existingClaim | default (printf "%s-blobs" (include "signalbox.fullname" .)) }} }
{{- end }}
{{- include "signalbox.temporalVolume" . }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "signalbox.temporalVolume" -}}
{{- if and .Values.temporal.tls.enabled .Values.temporal.tls.secret }}
- { name: temporal-tls, secret: { secretName: {{ .Values.temporal.tls.secret }}, defaultMode: 0440 } }
{{- end }}
{{- end -}}

{{/* Takes (dict "root" $ "component" … "placement" .Values.api). */}}
{{- define "signalbox.placement" -}}
{{- $selector := include "signalbox.selector" . -}}
{{- /* A node that is being drained counts no more: without pods, it would keep all others from taking one more. */}}
{{- with .root.Values.topologySpread }}
{{- if .enabled }}
topologySpreadConstraints:
{{- range $key, $unsatisfiable := .keys }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: {{ $unsatisfiable }}
    nodeTaintsPolicy: Honor
    labelSelector:
      matchLabels:
        {{- $selector | nindent 8 }}
{{- end }}
{{- end }}
{{- end }}
{{- with .placement.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .placement.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .placement.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A change of the settings must restart the pods. */}}
{{- define "signalbox.podAnnotations" -}}
signalbox/config: {{ toJson .root.Values.config | sha256sum | trunc 16 | quote }}
{{- with .extra }}
{{ toYaml . }}
{{- end }}
{{- end -}}
