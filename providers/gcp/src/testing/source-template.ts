import { CLUSTER, selfLink } from './fake-gcp/names.ts'

/** A credential in the template of the source node pool, which must not be logged. */
export const BOOTSTRAP_SECRET = 'fake-kubelet-key-0123456789'

/** An excerpt from the metadata of a GKE node pool's instance template. */
const sourceMetadata: Readonly<Record<string, string>> = {
  'cluster-name': CLUSTER,
  'cluster-location': 'us-central1',
  'kube-env': [
    'CA_CERT: Q0E=',
    `KUBELET_KEY: ${BOOTSTRAP_SECRET}`,
    'KUBERNETES_MASTER_NAME: 10.0.0.2',
    'KUBELET_ARGS: --v=2 --max-pods=110 --node-labels=cloud.google.com/gke-nodepool=default-pool,cloud.google.com/gke-netd-ready=true --cloud-provider=external',
    'SERVER_BINARY_TAR_URL: https://storage.googleapis.com/gke-release/kubernetes/release/v1.36.0-gke.1/kubernetes-server-linux-amd64.tar.gz',
    'SERVER_BINARY_TAR_HASH: 1234',
    'ZONE: us-central1-a',
  ].join('\n'),
  'kube-labels': 'cloud.google.com/gke-nodepool=default-pool',
  'kubelet-config': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n',
}

/** Returns an instance template in the format in which Compute Engine lists it. */
export const sourceTemplate = (
  pool: string,
  metadata = sourceMetadata,
  createdAt = '2026-01-01T00:00:00Z',
): object => ({
  kind: 'compute#instanceTemplate',
  id: '1',
  name: `gke-${CLUSTER}-${pool}`,
  creationTimestamp: createdAt,
  selfLink: selfLink(`projects/demo/regions/us-central1/instanceTemplates/gke-${CLUSTER}-${pool}`),
  properties: {
    labels: { 'goog-k8s-node-pool-name': pool },
    metadata: { items: Object.entries(metadata).map(([key, value]) => ({ key, value })) },
  },
})
