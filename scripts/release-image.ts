// npm run release:image -- REPOSITORY DIGEST: the chart and the manifests name the image that was pushed, by its digest.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageManifests } from './image/image-manifests.ts'
import { imageName, referenceOf, stampedWith, VALUES } from './image/image-name.ts'
import { root } from './source-files.ts'

const [repository, digest] = process.argv.slice(2)
if (repository === undefined || digest === undefined) {
  process.stderr.write(
    'release-image: name the repository and the digest: npm run release:image -- REPOSITORY sha256:…\n',
  )
  process.exit(2)
}
const before = imageName()
const released = { repository, digest }
// All are read before the first is written: a digest that is none leaves everything as it was.
const stamped = [VALUES, ...imageManifests()].map((file) => {
  const path = join(root, file)
  return { path, text: stampedWith(readFileSync(path, 'utf8'), before, released) }
})
for (const { path, text } of stamped) writeFileSync(path, text)
process.stdout.write(`the chart and the manifests name ${referenceOf({ ...before, ...released })}\n`)
