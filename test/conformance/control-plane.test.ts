import { describeOnCluster } from '@kerf/control-plane/testing'
import { defineConformance } from './conformance.ts'
import { PlainClient } from './plain-client.ts'

describeOnCluster('real control plane', (cluster) => {
  defineConformance('by the plain protocol', {
    client: () => new PlainClient(cluster()),
    http: () => cluster(),
    pause: () => new Promise((resolve) => setTimeout(resolve, 50)),
  })
})
