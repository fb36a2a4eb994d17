import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../source-files.ts'

const MANIFESTS = 'deploy/manifests'

/**
 * The generated manifests that name the image: `deploy/manifests/PROVIDER/karpenter.yaml`. They are found in the folder, so that a
 * release needs no part of Kerf to stamp them.
 */
export const imageManifests = (): readonly string[] =>
  readdirSync(join(root, MANIFESTS))
    .sort()
    .map((provider) => `${MANIFESTS}/${provider}/karpenter.yaml`)
    .filter((file) => existsSync(join(root, file)))
