{{- define "karpenter.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "karpenter.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "karpenter.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "karpenter.selectorLabels" -}}
app.kubernetes.io/name: {{ include "karpenter.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "karpenter.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "karpenter.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.additionalLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* name, labels and annotations of an object; takes a dict of the root and the name, and annotations of its own */}}
{{- define "karpenter.metadata" -}}
name: {{ .name }}
{{- with .namespace }}
namespace: {{ . }}
{{- end }}
labels:
  {{- include "karpenter.labels" .root | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .root.Values.additionalAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "karpenter.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "karpenter.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "karpenter.image" -}}
{{- $image := .Values.controller.image -}}
{{- $image.repository }}:{{ default .Chart.AppVersion $image.tag }}
{{- with $image.digest }}@{{ . }}{{ end -}}
{{- end -}}

{{/* Pod affinity terms and spread constraints get the chart's selector where they have none. */}}
{{- define "karpenter.affinity" -}}
{{- $affinity := deepCopy .Values.affinity -}}
{{- $own := dict "matchLabels" (fromYaml (include "karpenter.selectorLabels" .)) -}}
{{- range $kind := list "podAffinity" "podAntiAffinity" -}}
{{- range $term := (get (get $affinity $kind | default dict) "requiredDuringSchedulingIgnoredDuringExecution" | default list) -}}
{{- if not (hasKey $term "labelSelector") }}{{ $_ := set $term "labelSelector" $own }}{{ end -}}
{{- end -}}
{{- range $weighted := (get (get $affinity $kind | default dict) "preferredDuringSchedulingIgnoredDuringExecution" | default list) -}}
{{- $term := $weighted.podAffinityTerm -}}
{{- if not (hasKey $term "labelSelector") }}{{ $_ := set $term "labelSelector" $own }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toYaml $affinity -}}
{{- end -}}

{{- define "karpenter.topologySpreadConstraints" -}}
{{- $own := dict "matchLabels" (fromYaml (include "karpenter.selectorLabels" .)) -}}
{{- $constraints := list -}}
{{- range $constraint := .Values.topologySpreadConstraints -}}
{{- $constraints = append $constraints (merge (dict) (deepCopy $constraint) (hasKey $constraint "labelSelector" | ternary (dict) (dict "labelSelector" $own))) -}}
{{- end -}}
{{- toYaml $constraints -}}
{{- end -}}
