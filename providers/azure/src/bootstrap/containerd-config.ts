const CRI = 'plugins."io.containerd.grpc.v1.cri"'
const RUNC = 'io.containerd.runc.v2'

const runtime = (name: string, binary: string, hasCgroups: boolean): readonly string[] => [
  `[${CRI}.containerd.runtimes.${name}]`,
  `runtime_type = "${RUNC}"`,
  `[${CRI}.containerd.runtimes.${name}.options]`,
  `BinaryName = "${binary}"`,
  ...(hasCgroups ? ['SystemdCgroup = true'] : []),
]

/**
 * Returns the configuration of containerd. With AKS's drivers, NVIDIA's runtime is the default. Without them, the user's driver
 * installation configures GPUs.
 */
export const containerdConfig = (hasGpuDriver: boolean): string => {
  const [name, binary] = hasGpuDriver
    ? (['nvidia-container-runtime', '/usr/bin/nvidia-container-runtime'] as const)
    : (['runc', '/usr/bin/runc'] as const)
  return `${[
    'version = 2',
    'oom_score = 0',
    `[${CRI}]`,
    'sandbox_image = "mcr.microsoft.com/oss/kubernetes/pause:3.6"',
    `[${CRI}.containerd]`,
    `default_runtime_name = "${name}"`,
    ...runtime(name, binary, true),
    ...runtime('untrusted', binary, false),
    `[${CRI}.registry]`,
    'config_path = "/etc/containerd/certs.d"',
    `[${CRI}.registry.headers]`,
    'X-Meta-Source-Client = ["azure/aks"]',
    '[metrics]',
    'address = "0.0.0.0:10257"',
  ].join('\n')}\n`
}
