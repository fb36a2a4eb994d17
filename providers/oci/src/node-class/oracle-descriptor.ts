import { groupVersion } from '@kerf/apis'
import type { NodeClassDescriptor } from '@kerf/provider-contract'
import { oracleColumns, oracleHashReading, oracleSelectors, oracleUnhashed } from './class-columns.ts'
import { oracleConditions, oracleMeanings } from './conditions.ts'
import { oracleHash } from './oracle-hash.ts'
import { type OracleNodeClass, oracleNodeClassKind, oracleNodeClassResource } from './oracle-node-class.ts'

/** The description of OCINodeClass that the rest of Kerf uses. */
export const oracleNodeClassDescriptor: NodeClassDescriptor<OracleNodeClass> = {
  resource: oracleNodeClassResource,
  conditions: oracleConditions,
  conditionMeanings: oracleMeanings,
  hash: oracleHash,
  selectors: oracleSelectors,
  unhashed: oracleUnhashed,
  hashReading: oracleHashReading,
  columns: oracleColumns,
  example: {
    apiVersion: groupVersion(oracleNodeClassKind),
    kind: 'OCINodeClass',
    metadata: { name: 'default' },
    spec: {
      shapeConfigs: [{ ocpus: 2, memoryInGbs: 16 }],
      volumeConfig: {
        bootVolumeConfig: {
          imageConfig: {
            imageType: 'OKEImage',
            imageFilter: { osFilter: 'Oracle Linux', osVersionFilter: '8' },
          },
          sizeInGBs: 100,
        },
      },
      networkConfig: { primaryVnicConfig: { subnetConfig: { subnetFilter: { displayName: 'workers' } } } },
    },
  },
}
