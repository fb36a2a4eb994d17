import type { CloudNames } from '../../../../tests/simulation/runs/cloud-draws.ts'

export const ociNames: CloudNames = {
  nodeClassRef: { group: 'oci.oraclecloud.com', kind: 'OCINodeClass', name: 'default' },
  zones: ['PHX-AD-1', 'PHX-AD-2'],
  types: ['VM.Standard.E4.Flex.4o.32g.1_1b', 'VM.Standard.E5.Flex.8o.64g.1_1b'],
}
