/** Texts that reasons contain: values of the detail `problem`, and names of constraints. */
export const detailTexts = {
  noTypes: 'its provider offers no instance type',
  noOffering: 'its requirements leave no available offering of the catalogue',
  allTypes: 'all its',
  deleting: 'it is being deleted',
  notReady: 'its Ready condition is not True',
  noTemplate: 'it has no template',
  badLimit: (resource: string): string => `spec.limits.${resource} must be a quantity, for example "100" or "500m"`,
  unreadable: (error: unknown): string =>
    `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
  ignoredDevices: 'it claims devices (dynamic resource allocation), which are ignored',
  unreadableDevices: 'its resource claims cannot be read',
  nothingFound: 'no offering of it',
  millionCpu: 'a million CPU or more: m meant, M written?',
  allResources: { resource: 'all resources together', short: 'some', largest: 'every type' },
  severalLabels: 'several labels at once',
  spread: (maxSkew: number | string): string => `topology spread (maxSkew ${maxSkew})`,
  affinity: 'pod affinity',
  antiAffinity: 'pod anti-affinity',
  antiAffinityOfOthers: 'pod anti-affinity of other pods',
  onOtherNode: 'the devices are on another node',
  devicesElsewhere: 'the devices are elsewhere',
  allocatedElsewhere: 'its allocated devices are elsewhere',
  noneOnNode: 'the node has none',
  unreadableDevice: (problem: string): string => `a device cannot be read: ${problem}`,
  /** `matched` is the number of devices that match individually. */
  tooFewDevices: (count: number | 'All', deviceClass: string, matched: number): string => {
    const wanted = count === 'All' ? 'all devices' : `${count} ${count === 1 ? 'device' : 'devices'}`
    if (matched === 0) return `${wanted} of class ${deviceClass} wanted, none matches`
    return `${wanted} of class ${deviceClass} wanted, ${matched} ${matched === 1 ? 'matches' : 'match'} but not enough can be had together`
  },
} as const
