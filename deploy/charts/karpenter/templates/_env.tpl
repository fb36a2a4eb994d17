{{/*
The settings as environment variables, under the names that Karpenter's chart gives them. controller.env comes last and
wins. Unlike Karpenter's chart, false and 0 are passed on: a value that is written down counts.
*/}}
{{- define "karpenter.env" -}}
{{- $settings := .Values.settings -}}
- name: KUBERNETES_MIN_VERSION
  value: "1.19.0-0"
- name: KARPENTER_SERVICE
  value: {{ include "karpenter.fullname" . }}
- name: KERF_PROVIDER
  value: {{ $settings.provider | quote }}
{{- with .Values.logLevel }}
- name: LOG_LEVEL
  value: {{ . | quote }}
{{- end }}
{{- with .Values.logOutputPaths }}
- name: LOG_OUTPUT_PATHS
  value: {{ join "," . | quote }}
{{- end }}
{{- with .Values.logErrorOutputPaths }}
- name: LOG_ERROR_OUTPUT_PATHS
  value: {{ join "," . | quote }}
{{- end }}
- name: METRICS_PORT
  value: {{ .Values.controller.metrics.port | quote }}
- name: HEALTH_PROBE_PORT
  value: {{ .Values.controller.healthProbe.port | quote }}
- name: SYSTEM_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
- name: CPU_REQUESTS
  valueFrom:
    resourceFieldRef:
      containerName: {{ .Values.controller.containerName | default "controller" }}
      divisor: "1m"
      resource: requests.cpu
- name: MEMORY_LIMIT
  valueFrom:
    resourceFieldRef:
      containerName: {{ .Values.controller.containerName | default "controller" }}
      divisor: "0"
      resource: limits.memory
- name: FEATURE_GATES
  value: {{ include "karpenter.gates" $settings.featureGates | quote }}
{{- range $name, $value := dict
  "BATCH_MAX_DURATION" $settings.batchMaxDuration
  "BATCH_IDLE_DURATION" $settings.batchIdleDuration
  "PLAN_EXPECTED_PODS" $settings.planExpectedPods
  "PREFERENCE_POLICY" $settings.preferencePolicy
  "MIN_VALUES_POLICY" $settings.minValuesPolicy
  "IGNORE_DRA_REQUESTS" $settings.ignoreDRARequests
  "DISABLE_CLUSTER_STATE_OBSERVABILITY" $settings.disableClusterStateObservability
  "SCHEDULER_CONFIG" $settings.schedulerConfig
  "PLAN_BUDGET" $settings.planBudget
  "NODE_OVERHEAD_COST" $settings.nodeOverheadCost
  "FEWER_NODES_COST_SHARE" $settings.fewerNodesCostShare
  "OBSERVE" $settings.observe
  "FOREIGN_NODES" $settings.foreignNodes
  "IGNORE_PODS_SELECTOR" $settings.ignorePodsSelector
  "METRICS_AUTHORIZATION" $settings.metricsAuthorization
  "LEGACY_APIS" $settings.legacyApis }}
{{- include "karpenter.envEntry" (list $ $name $value) }}
{{- end }}
{{- with include (printf "karpenter.providerEnv.%s" $settings.provider) . }}
{{ . }}
{{- end }}
{{- with .Values.controller.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The environment with each name once, as its last entry has it: an apply merges entries by name. */}}
{{- define "karpenter.environment" -}}
{{- $entries := include "karpenter.env" . | fromYamlArray -}}
{{- $last := dict -}}
{{- range $place, $entry := $entries }}{{ $_ := set $last $entry.name $place }}{{ end -}}
{{- range $place, $entry := $entries }}
{{- if eq (get $last $entry.name) $place }}
- name: {{ $entry.name }}
{{- if hasKey $entry "value" }}
  value: {{ $entry.value | quote }}
{{- end }}
{{- with omit $entry "name" "value" }}
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* One variable; none for a value that is empty. Takes the root, the name and the value, which may be a template. */}}
{{- define "karpenter.envEntry" -}}
{{- $value := index . 2 -}}
{{- if not (or (kindIs "invalid" $value) (eq (toString $value) "")) }}
- name: {{ index . 1 }}
  value: {{ tpl (toString $value) (index . 0) | quote }}
{{- end -}}
{{- end -}}

{{/*
A setting by its name, or by the one that it had below settings.aws in charts up to 0.31, which counts where it is given.
Takes the settings and both names.
*/}}
{{- define "karpenter.awsSetting" -}}
{{- $value := get (index . 0) (index . 1) -}}
{{- $old := get (get (index . 0) "aws" | default dict) (index . 2) -}}
{{- if not (or (kindIs "invalid" $old) (eq (toString $old) "")) }}{{ $value = $old }}{{ end -}}
{{- if not (kindIs "invalid" $value) }}{{ $value }}{{ end -}}
{{- end -}}

{{/* nodeRepair: true, … as NodeRepair=true,… */}}
{{- define "karpenter.gates" -}}
{{- $gates := list -}}
{{- range $name, $on := . }}{{ $gates = append $gates (printf "%s%s=%v" (substr 0 1 $name | upper) (substr 1 -1 $name) $on) }}{{ end -}}
{{- join "," $gates -}}
{{- end -}}

{{/* What the controller finds in a variable: the last entry of the name. Takes the root and the name. */}}
{{- define "karpenter.envValue" -}}
{{- $found := "" -}}
{{- $name := index . 1 -}}
{{- range include "karpenter.env" (index . 0) | fromYamlArray }}{{ if eq .name $name }}{{ $found = .value | default "" }}{{ end }}{{ end -}}
{{- $found -}}
{{- end -}}

{{/* Whether a switch is on. Takes the root, the name of the variable, and what it is when there is none. */}}
{{- define "karpenter.isOn" -}}
{{- $value := include "karpenter.envValue" (list (index . 0) (index . 1)) | default (index . 2) -}}
{{- if regexMatch "^(1|t|T|TRUE|true|True)$" $value }}true{{ end -}}
{{- end -}}

{{/* Whether a feature gate is on. Takes the root and the gate. */}}
{{- define "karpenter.gateIsOn" -}}
{{- if regexMatch (printf "(^|,)\\s*%s\\s*=\\s*(1|t|T|TRUE|true|True)\\s*(,|$)" (index . 1)) (include "karpenter.envValue" (list (index . 0) "FEATURE_GATES")) }}true{{ end -}}
{{- end -}}

{{- define "karpenter.leaderElectionName" -}}
{{- $default := ternary "kerf-observe" "karpenter-leader-election" (include "karpenter.isOn" (list . "OBSERVE" "false") | eq "true") -}}
{{- include "karpenter.envValue" (list . "LEADER_ELECTION_NAME") | default $default -}}
{{- end -}}
