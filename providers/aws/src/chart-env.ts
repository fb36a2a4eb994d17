/**
 * The Helm template for the controller's environment variables on AWS. It uses the value names of Karpenter's chart, and also supports the
 * values of charts up to 0.31.
 */
export const chartEnv = `- name: AWS_FEATURE_GATES
  value: {{ include "karpenter.gates" $settings.awsFeatureGates | quote }}
- name: CLUSTER_NAME
  value: {{ tpl (required "settings.clusterName is required: the name of the EKS cluster, as in --set settings.clusterName=demo" (include "karpenter.awsSetting" (list $settings "clusterName" "clusterName"))) $ | quote }}
{{- range $name, $value := dict
  "CLUSTER_CA_BUNDLE" (include "karpenter.awsSetting" (list $settings "clusterCABundle" "clusterCABundle"))
  "CLUSTER_ENDPOINT" (include "karpenter.awsSetting" (list $settings "clusterEndpoint" "clusterEndpoint"))
  "INTERRUPTION_QUEUE" (include "karpenter.awsSetting" (list $settings "interruptionQueue" "interruptionQueueName"))
  "VM_MEMORY_OVERHEAD_PERCENT" (include "karpenter.awsSetting" (list $settings "vmMemoryOverheadPercent" "vmMemoryOverheadPercent") | default "0.075")
  "RESERVED_ENIS" (include "karpenter.awsSetting" (list $settings "reservedENIs" "reservedENIs"))
  "AMI_REFRESH_INTERVAL" $settings.amiRefreshInterval
  "SUBNET_REFRESH_INTERVAL" $settings.subnetRefreshInterval
  "ISOLATED_VPC" (include "karpenter.awsSetting" (list $settings "isolatedVPC" "isolatedVPC"))
  "EKS_CONTROL_PLANE" $settings.eksControlPlane
  "ENABLE_ZONAL_SHIFT" $settings.enableZonalShift
  "DISABLE_DRY_RUN" $settings.disableDryRun }}
{{- include "karpenter.envEntry" (list $ $name $value) }}
{{- end }}`
