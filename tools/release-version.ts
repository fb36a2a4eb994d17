// npm run release:version -- VERSION: fails unless everything that is released together has this version.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './source-files.ts'

/** Files that contain the version, with the path of the field in each. */
const PLACES: readonly (readonly [string, readonly string[]])[] = [
  ['package.json', ['version']],
  ['packages/cli/package.json', ['version']],
  ['packages/dashboard/plugin/package.json', ['version']],
  ['deploy/charts/karpenter/Chart.yaml', ['version', 'appVersion']],
  ['deploy/charts/karpenter-crd/Chart.yaml', ['version', 'appVersion']],
]

/** Matches the label with the version of an image. */
const LABEL = /org\.opencontainers\.image\.version="([^"]*)"/

const [wanted] = process.argv.slice(2)
if (wanted === undefined) {
  process.stderr.write('release-version: name the version; for example: npm run release:version -- 0.1.0\n')
  process.exit(2)
}
const wrong = PLACES.flatMap(([file, fields]) => {
  // The YAML parser also reads the JSON files, because JSON is valid YAML.
  const content = parse(readFileSync(join(root, file), 'utf8')) as Readonly<Record<string, unknown>>
  return fields.flatMap((field) =>
    content[field] === wanted ? [] : [`${file}: ${field} is ${String(content[field])}`],
  )
})
for (const file of ['deploy/image/Dockerfile', 'packages/dashboard/plugin/Dockerfile']) {
  const label = LABEL.exec(readFileSync(join(root, file), 'utf8'))?.[1]
  if (label !== wanted) wrong.push(`${file}: the label org.opencontainers.image.version is ${String(label)}`)
}
for (const line of wrong) process.stderr.write(`release-version: ${line}, not ${wanted}\n`)
if (wrong.length === 0) process.stdout.write(`everything has version ${wanted}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
