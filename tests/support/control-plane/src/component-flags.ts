import type { Programs } from './programs.ts'

export const etcdFlags = (directory: string, client: number, peer: number): readonly string[] => [
  `--data-dir=${directory}`,
  `--listen-client-urls=http://127.0.0.1:${client}`,
  `--advertise-client-urls=http://127.0.0.1:${client}`,
  `--listen-peer-urls=http://127.0.0.1:${peer}`,
  `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
  `--initial-cluster=default=http://127.0.0.1:${peer}`,
  // The data is deleted when the process ends, so making it durable would only cost time.
  '--unsafe-no-fsync',
  '--log-level=warn',
]

export const apiServerFlags = (
  programs: Programs,
  etcd: number,
  port: number,
  keyFile: string,
  rbac: boolean,
): readonly string[] => [
  `--etcd-servers=http://127.0.0.1:${etcd}`,
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  '--endpoint-reconciler-type=none',
  `--secure-port=${port}`,
  `--cert-dir=${programs.path('certificates')}`,
  `--token-auth-file=${programs.path('tokens.csv')}`,
  '--anonymous-auth=false',
  `--authorization-mode=${rbac ? 'RBAC' : 'AlwaysAllow'}`,
  '--service-account-issuer=https://kerf.invalid',
  `--service-account-key-file=${keyFile}`,
  `--service-account-signing-key-file=${keyFile}`,
  '--service-cluster-ip-range=10.96.0.0/16',
  // Tests may create pods before the controller manager has created the namespace's service account. No pod uses its token.
  '--disable-admission-plugins=ServiceAccount',
  '--allow-privileged=true',
  '--profiling=false',
]

/** Returns the configuration file of kube-scheduler. */
export const schedulerConfiguration = (kubeconfig: string): string =>
  JSON.stringify({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaderElect: false },
    clientConnection: { kubeconfig, qps: 1000, burst: 2000 },
    // Makes kube-scheduler retry an unschedulable pod soon after a node appears. The default of ten seconds is meant for large clusters.
    podMaxBackoffSeconds: 2,
  })

export const controllerManagerFlags = (kubeconfig: string, keyFile: string): readonly string[] => [
  `--kubeconfig=${kubeconfig}`,
  '--secure-port=0',
  '--leader-elect=false',
  `--service-account-private-key-file=${keyFile}`,
  '--kube-api-qps=1000',
  '--kube-api-burst=2000',
  '--profiling=false',
]
