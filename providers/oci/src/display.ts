import type { DisplayOnly } from '@kerf/provider-contract/dashboard'
import { COMMUNITY_GROUP, ORACLE_GROUP } from './names.ts'
import {
  communityColumns,
  communitySelectors,
  oracleColumns,
  oracleHashReading,
  oracleSelectors,
  oracleUnhashed,
} from './node-class/class-columns.ts'

/**
 * The node classes of OCI. Each drift rule was compared with the provider's own code
 * (`tests/integration/editor/class-edits/README.md`).
 */
export const display: DisplayOnly = {
  name: 'oci',
  title: 'OCI',
  dashboard: {
    kinds: [
      {
        group: COMMUNITY_GROUP,
        kind: 'OciNodeClass',
        plural: 'ocinodeclasses',
        versions: ['v1alpha1'],
        columns: communityColumns,
        // The provider writes a hash of the node class to NodeClaims but does not compare it. It compares images, networks and groups.
        drift: { isHashed: false, selectors: communitySelectors, unhashed: [] },
      },
      {
        group: ORACLE_GROUP,
        kind: 'OCINodeClass',
        plural: 'ocinodeclasses',
        versions: ['v1beta1'],
        columns: oracleColumns,
        drift: { isHashed: true, selectors: oracleSelectors, unhashed: oracleUnhashed, ...oracleHashReading },
      },
    ],
  },
}
