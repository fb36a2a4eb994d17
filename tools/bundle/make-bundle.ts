import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild'
import { lazyBuiltins, leanSchemas, leanUndici, namedProxyAgent } from './lean-imports.ts'
import { type BundledPackage, bundledPackages } from './packages.ts'

/** The program as a single file. */
export interface Bundle {
  readonly code: Uint8Array
  /**
   * The same program as the text of a function expression. A V8 code cache needs it: V8 can cache the functions that were
   * compiled during a run if the program is a script, but not if it is a module. The lines are those of `code`, so the same source map applies.
   */
  readonly script: Uint8Array
  /** The source map for stack traces. The code contains no reference to it. */
  readonly sourceMap: Uint8Array
  readonly version: string
  readonly packages: readonly BundledPackage[]
  /** The inputs and imports of the first build, before its chunks were joined. */
  readonly parts: Metafile
}

export interface BundleOptions {
  readonly root: string
  /** The commit of the sources; empty if unknown. */
  readonly commit: string
}

/** Directories with manifests that the program reads at run time. Their READMEs are not included. */
const CARRIED = ['examples/quickstart'] as const

const FORMAT = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  // The oldest version of Node.js on which a bundle runs.
  target: 'node20',
  legalComments: 'none',
  logLevel: 'error',
  metafile: true,
  write: false,
} as const satisfies BuildOptions

const versionOf = (root: string): string => {
  const { version } = JSON.parse(readFileSync(join(root, 'packages', 'cli', 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return version
}

const carried = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    CARRIED.flatMap((directory) =>
      readdirSync(join(root, directory))
        .filter((name) => name.endsWith('.yaml'))
        .sort()
        .map((name) => [`${directory}/${name}`, readFileSync(join(root, directory, name), 'utf8')]),
    ),
  )

/**
 * Throws if a CommonJS package is imported dynamically. esbuild gives such a chunk only a default export, so its named exports would be
 * missing at run time.
 */
const refuseDynamicCommonJs = ({ inputs }: Metafile): void => {
  for (const [importer, { imports }] of Object.entries(inputs)) {
    for (const { path, kind } of imports) {
      if (kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
        throw new Error(
          `${importer} imports the CommonJS module ${path} dynamically; import a module that names what is used of it`,
        )
    }
  }
}

/**
 * Escapes non-ASCII characters in regular expressions, which esbuild leaves unchanged. If the program contained a single non-ASCII
 * character, Node.js would store all of its text with two bytes per character.
 */
const asciiOnly = (contents: Uint8Array): Uint8Array => {
  const text = Buffer.from(contents).toString('utf8')
  return Buffer.from(
    text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** The number of lines before the program itself, in both forms of the bundle. */
const HEADER_LINES = 3
const URL_VARIABLE = 'kerfUrl'

const moduleHeader = (title: string): string => `#!/usr/bin/env node
${title}
import{createRequire as kerfRequire}from"node:module";const ${URL_VARIABLE}=import.meta.url,require=kerfRequire(${URL_VARIABLE});`

/** Returns the module as a function expression with the parameters `require` and the URL of the file. Throws if it uses module syntax. */
const moduleToScript = (code: Uint8Array, title: string): Uint8Array => {
  const header = `// The program as a function of its require and its URL.\n${title}\n(function(require,${URL_VARIABLE}){"use strict";\n`
  let start = 0
  for (let line = 0; line < HEADER_LINES; line++) start = code.indexOf(10, start) + 1
  const script = Buffer.concat([Buffer.from(header), code.subarray(start), Buffer.from('})\n')])
  // Compiles the text without running it. This throws if the text contains `import.meta` or an `await` at the top level.
  new Script(script.toString('latin1'))
  return script
}

/** Serves the output files of a first build to a second build. */
const from = (files: ReadonlyMap<string, Uint8Array>): Plugin => ({
  name: 'first-build',
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ path }) => ({ path: path.slice(2), namespace: 'first-build' }))
    build.onLoad({ filter: /.*/, namespace: 'first-build' }, ({ path }) => {
      const contents = files.get(path)
      return contents === undefined ? undefined : { contents, loader: 'js' }
    })
  },
})

const fileNamed = (files: readonly OutputFile[], ending: string): Uint8Array => {
  const found = files.find(({ path }) => path.endsWith(ending))
  if (found === undefined) throw new Error(`esbuild wrote no ${ending}`)
  return found.contents
}

/**
 * Builds the program as a single file. The same sources and commit give the same bytes. Two builds are necessary, because esbuild removes
 * unused code only from static imports. The first build writes each lazily loaded module to a separate file without its unused code. The
 * second build joins these files. Lazy imports stay lazy: the file contains the module, but it is evaluated only when it is imported.
 */
export const makeBundle = async ({ root, commit }: BundleOptions): Promise<Bundle> => {
  const version = versionOf(root)
  const first = await build({
    ...FORMAT,
    absWorkingDir: root,
    entryPoints: { kerf: 'packages/cli/src/main.ts' },
    outdir: 'parts',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    mainFields: ['module', 'main'],
    define: { KERF_BUNDLE: JSON.stringify({ version, commit, files: carried(root) }) },
    plugins: [leanUndici, leanSchemas, namedProxyAgent],
    sourcemap: 'inline',
  })
  refuseDynamicCommonJs(first.metafile)
  const parts = new Map(
    first.outputFiles.map(({ path, contents }) => [path.replace(/^.*[/\\]/, ''), asciiOnly(contents)]),
  )
  const title = `// Kerf ${version}${commit === '' ? '' : `, commit ${commit}`}. Apache-2.0; the licences of what it contains are in THIRD-PARTY-NOTICES.`
  const second = await build({
    ...FORMAT,
    absWorkingDir: root,
    entryPoints: ['./kerf.mjs'],
    outfile: 'kerf.mjs',
    plugins: [lazyBuiltins, from(parts)],
    define: { 'import.meta.url': URL_VARIABLE },
    // Keeps function names, so that stack traces and profiles from production are readable.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'external',
    banner: { js: moduleHeader(title) },
  })
  const code = fileNamed(second.outputFiles, 'kerf.mjs')
  return {
    code,
    script: moduleToScript(code, title),
    sourceMap: fileNamed(second.outputFiles, 'kerf.mjs.map'),
    version,
    packages: bundledPackages(root, first.metafile),
    parts: first.metafile,
  }
}
