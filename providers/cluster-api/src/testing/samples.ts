import { readFileSync } from 'node:fs'
import type { ClusterApiVersion } from '../objects/api-version.ts'

/** Returns an object of a real management cluster (Cluster API 1.14.2 on Kubernetes 1.36.3), without its managed fields. */
export const sample = <OnWire>(version: ClusterApiVersion, name: string): OnWire =>
  JSON.parse(readFileSync(new URL(`./samples/${version}/${name}.json`, import.meta.url), 'utf8'))
