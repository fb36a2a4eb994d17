import { better, different, kept, type Quirks, untested } from './quirk.ts'

export const install: Quirks = {
  Installation: [
    better(
      'the chart leaves out values that are false or 0, so `ignoreDRARequests: false` and `vmMemoryOverheadPercent: 0` do nothing',
      'what is written down reaches the process',
      'has the settings of its values as those of the process',
    ),
    better(
      'the chart’s roles lack what `IGNORE_DRA_REQUESTS=false`, a renamed Lease and default spread constraints need',
      'the roles follow the values and `controller.env`',
      'follow controller.env, which wins over the values',
    ),
    better(
      'roles grant reading NodeOverlays, CapacityBuffers and workloads whether or not they are used, and updates that are never sent',
      'each verb that is granted is used, and those of an option only where it is on',
      'leave out what is turned off',
      'are used to the last verb, and nothing else is',
    ),
    better(
      'values that make no sense end in a controller that does not start',
      'they are refused before anything changes, by name',
      'refuses %s, and says which value it is',
    ),
    kept(
      'values that the chart does not know are passed over',
      'as there, since values of older releases are still around; the notes name them',
      'an install, an upgrade and an uninstall',
    ),
    different(
      'uninstalling the `karpenter-crd` chart deletes the definitions, and with them every NodePool and node',
      'the definitions stay; `additionalAnnotations` can take the mark off',
      'the karpenter-crd chart takes over the resources of the other and leaves them',
    ),
    kept(
      'the lists in the namespace’s aggregated admin role leave out NodeOverlays and CapacityBuffers',
      'as there',
      untested('Who may look after these is for a cluster’s own roles to say.'),
    ),
  ],
}
