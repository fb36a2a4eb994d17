import { better, different, kept, type Quirks, untested } from './quirk.ts'

export const install: Quirks = {
  Installation: [
    better(
      'the chart leaves out values that are false or 0, so `ignoreDRARequests: false` and `vmMemoryOverheadPercent: 0` do nothing',
      'what is written down reaches the process',
      'has the same defaults as the process',
    ),
    better(
      'the chart’s roles lack what `IGNORE_DRA_REQUESTS=false`, a renamed Lease and default spread constraints need',
      'the roles follow the values and `controller.env`',
      'follow controller.env, which overrides the chart’s values',
    ),
    better(
      'roles grant reading NodeOverlays, CapacityBuffers and workloads whether or not they are used, and updates that are never sent',
      'each verb that is granted is used, and those of an option only where it is on',
      'grant no permissions for disabled features',
      'are used completely, and Kerf needs no other permissions',
    ),
    better(
      'values that make no sense end in a controller that does not start',
      'they are refused before anything changes, by name',
      'refuses %s, and names the value',
    ),
    kept(
      'values that the chart does not know are passed over',
      'as there, since values of older releases are still around; the notes name them',
      'an install, an upgrade and an uninstall',
    ),
    different(
      'uninstalling the `karpenter-crd` chart deletes the definitions, and with them every NodePool and node',
      'the definitions stay; `additionalAnnotations` can take the mark off',
      'the karpenter-crd chart adopts the resources of the other chart, and keeps them when it is uninstalled',
    ),
    kept(
      'the lists in the namespace’s aggregated admin role leave out NodeOverlays and CapacityBuffers',
      'as there',
      untested('Who may look after these is for a cluster’s own roles to say.'),
    ),
  ],
}
