import type { ClusterJoin } from './cluster-join.ts'

const FOLDER = '/etc/kubernetes'
const KUBELET_CONFIG = `${FOLDER}/kubelet-config.json`
const BOOTSTRAP_CONFIG = `${FOLDER}/bootstrap-kubelet.conf`

const kubeletConfig = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { anonymous: { enabled: false }, x509: { clientCAFile: `${FOLDER}/ca.crt` } },
  cgroupDriver: 'systemd',
  clusterDomain: 'cluster.local',
  containerLogMaxFiles: 10,
  containerLogMaxSize: '20Mi',
  enableControllerAttachDetach: true,
  eventRecordQPS: 50,
  evictionPressureTransitionPeriod: '5m',
  kubeReservedCgroup: '/system.slice/kubelet.service',
  protectKernelDefaults: false,
  readOnlyPort: 0,
  rotateCertificates: true,
  runtimeRequestTimeout: '2m',
  serializeImagePulls: false,
  systemReservedCgroup: '/system.slice',
}

const bootstrapConfig = ({ endpoint, caBundle, bootstrapToken }: ClusterJoin): string => `apiVersion: v1
kind: Config
current-context: bootstrap
clusters:
- name: bootstrap
  cluster:
    certificate-authority-data: ${caBundle}
    server: ${endpoint}
contexts:
- name: bootstrap
  context:
    cluster: bootstrap
    user: bootstrap
users:
- name: bootstrap
  user:
    token: ${bootstrapToken}`

const KUBELET_SERVICE = `[Unit]
Description=Kubernetes kubelet
After=containerd.service
Requires=containerd.service

[Service]
ExecStart=/usr/bin/kubelet --config ${KUBELET_CONFIG} \\
--bootstrap-kubeconfig ${BOOTSTRAP_CONFIG} --kubeconfig ${FOLDER}/kubelet.conf \\
--container-runtime-endpoint unix:///run/containerd/containerd.sock --v 2 \\
$KUBELET_DEFAULT_ARGS $KUBELET_EXTRA_ARGS
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target`

const CRI = 'plugins."io.containerd.grpc.v1.cri"'
const CONTAINERD = `version = 2
root = "/var/lib/containerd"
state = "/run/containerd"

[grpc]
  max_recv_message_size = 16777216
  max_send_message_size = 16777216

[metrics]
  address = "127.0.0.1:1338"
  grpc_histogram = true

[${CRI}]
  sandbox_image = "registry.k8s.io/pause:3.9"
  max_container_log_line_size = -1
[${CRI}.containerd]
  default_runtime_name = "runc"
  snapshotter = "overlayfs"
[${CRI}.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[${CRI}.containerd.runtimes.runc.options]
  BinaryName = "/usr/bin/runc"
  SystemdCgroup = true
[${CRI}.registry.mirrors."docker.io"]
  endpoint = ["https://registry-1.docker.io"]`

/** A file that the boot script of a self-managed node writes. */
export interface BootFile {
  readonly path: string
  readonly text: string
}

/** Returns the files of a node that joins a self-managed cluster. The paths are the same as in zoom/karpenter-oci. */
export const ubuntuFiles = (join: ClusterJoin): readonly BootFile[] => [
  { path: KUBELET_CONFIG, text: JSON.stringify(kubeletConfig, null, 2) },
  { path: BOOTSTRAP_CONFIG, text: bootstrapConfig(join) },
  { path: '/etc/systemd/system/kubelet.service', text: KUBELET_SERVICE },
  { path: '/etc/containerd/config.toml', text: CONTAINERD },
]
