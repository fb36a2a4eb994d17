/** Labels of GKE nodes and of Google Cloud's instance types (`providers/gcp/docs/spec/gcp.md#labels-resources-names`). */

export const GCP_GROUP = 'karpenter.k8s.gcp'
