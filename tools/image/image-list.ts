import { createHash } from 'node:crypto'
import type { ImagePlan } from './dockerfile.ts'
import type { ImageFile } from './image-files.ts'

/** Returns the contents of the image as `npm run image:contents` prints them, one line per file. */
export const imageList = (files: readonly ImageFile[], { base, entrypoint, user, env }: ImagePlan): string =>
  [
    `base        ${base}`,
    ...files.map(({ name, purpose, content }) => {
      const digest = createHash('sha256').update(content).digest('hex')
      return `/app/${name.padEnd(20)} ${String(content.length).padStart(8)}  sha256:${digest.slice(0, 16)}  ${purpose}`
    }),
    `/app/code-cache/${' '.repeat(19)}made by the base’s Node from kerf.cjs, for its platform`,
    `user        ${user}`,
    `environment ${Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
    `entrypoint  ${entrypoint.join(' ')}`,
  ]
    .map((line) => `${line}\n`)
    .join('')
