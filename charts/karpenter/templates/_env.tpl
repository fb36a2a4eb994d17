{{/* The settings as environment variables, as Karpenter's chart has them; controller.env comes last and wins. */}}
{{- define "karpenter.env" -}}
{{- $settings := .Values.settings -}}
- name: KUBERNETES_MIN_VERSION
  value: "1.19.0-0"
- name: KARPENTER_SERVICE
  value: {{ include "karpenter.fullname" . }}
- name: PROVIDER
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
  value: "{{ range $name := list "nodeRepair" "nodeOverlay" "reservedCapacity" "spotToSpotConsolidation" "staticCapacity" "capacityBuffer" }}{{ if ne $name "nodeRepair" }},{{ end }}{{ title $name }}={{ get $settings.featureGates $name }}{{ end }}"
- name: AWS_FEATURE_GATES
  value: "NodeClassCEL={{ $settings.awsFeatureGates.nodeClassCEL }}"
{{- $texts := dict
  "BATCH_MAX_DURATION" $settings.batchMaxDuration
  "BATCH_IDLE_DURATION" $settings.batchIdleDuration
  "CLUSTER_CA_BUNDLE" $settings.clusterCABundle
  "CLUSTER_ENDPOINT" $settings.clusterEndpoint
  "INTERRUPTION_QUEUE" $settings.interruptionQueue
  "VM_MEMORY_OVERHEAD_PERCENT" $settings.vmMemoryOverheadPercent
  "RESERVED_ENIS" $settings.reservedENIs
  "AMI_REFRESH_INTERVAL" $settings.amiRefreshInterval
  "SUBNET_REFRESH_INTERVAL" $settings.subnetRefreshInterval
  "ISOLATED_VPC" $settings.isolatedVPC
  "EKS_CONTROL_PLANE" $settings.eksControlPlane
  "ENABLE_ZONAL_SHIFT" $settings.enableZonalShift
  "DISABLE_CLUSTER_STATE_OBSERVABILITY" $settings.disableClusterStateObservability
  "DISABLE_DRY_RUN" $settings.disableDryRun
  "PLAN_BUDGET" $settings.planBudget -}}
{{- range $name, $value := $texts }}
{{- if $value }}
- name: {{ $name }}
  value: {{ tpl (toString $value) $ | quote }}
{{- end }}
{{- end }}
{{- if not (kindIs "invalid" $settings.ignoreDRARequests) }}
- name: IGNORE_DRA_REQUESTS
  value: {{ $settings.ignoreDRARequests | quote }}
{{- end }}
{{- with $settings.preferencePolicy }}
- name: PREFERENCE_POLICY
  value: {{ . | quote }}
{{- end }}
{{- with $settings.minValuesPolicy }}
- name: MIN_VALUES_POLICY
  value: {{ . | quote }}
{{- end }}
- name: CLUSTER_NAME
  value: {{ tpl (required "settings.clusterName is required: the name of the EKS cluster" $settings.clusterName) . | quote }}
{{- with .Values.controller.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}
