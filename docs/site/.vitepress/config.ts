import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { headingAnchor } from '../anchor.ts'
import { resolveLink, SOURCE } from '../links.ts'
import { type Entry, pagePath, readingOrder } from '../reading-order.ts'
import { repository, sitePages } from '../stage.ts'

const pages = sitePages()
const sourceOf = new Map([...pages].map(([path, target]) => [`${target}.md`, path]))
const files = {
  pageAt: (path: string) => pages.get(path),
  has: (path: string) => !path.startsWith('..') && existsSync(join(repository, path)),
}

const pathHeading = (path: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(repository, path), 'utf8'))?.[1]?.replaceAll('`', '') ?? path

const itemOf = (entry: Entry) => ({
  text: typeof entry === 'string' ? pathHeading(entry) : entry.name,
  link: `/${pages.get(pagePath(entry))}`,
})

/** What the pages use of HTML; anything else in angle brackets is a name that somebody fills in. */
const USED_TAGS = /^<(?:br|\/?a\b|\/?kbd|!--)/

export default defineConfig({
  lang: 'en',
  title: 'Kerf',
  description: "A node autoscaler for Kubernetes that speaks Karpenter's API",
  base: process.env['KERF_SITE_BASE'] ?? '/',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  // The same files give the same site; no page says when it was built.
  lastUpdated: false,
  metaChunk: true,
  // The index of the search is one chunk, and loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Files of the repository are reached by links; they would drown the pages.
        _render: (text, env, md) => (env.relativePath.startsWith(`${SOURCE}/`) ? '' : md.render(text, env)),
      },
    },
    sidebar: readingOrder.map(({ title, pages: entries }, place) => ({
      text: title,
      collapsed: place > 1,
      items: entries.map(itemOf),
    })),
    outline: { level: [2, 3] },
  },
  markdown: {
    // Headings have the anchors that they have on GitHub, so a link works in both places.
    anchor: { slugify: headingAnchor },
    toc: { slugify: headingAnchor },
    headers: { slugify: headingAnchor },
    attrs: { disable: true },
    config: (md) => {
      // The pages are Markdown of GitHub: nothing in them is a template.
      md.renderer.rules.text = (tokens, index) =>
        md.utils.escapeHtml(tokens[index]?.content ?? '').replaceAll('{{', '&#123;&#123;')
      md.renderer.rules.html_inline = (tokens, index) => {
        const tag = tokens[index]?.content ?? ''
        return USED_TAGS.test(tag) ? tag : md.utils.escapeHtml(tag)
      }
      md.core.ruler.push('links-of-the-repository', (state) => {
        const page = sourceOf.get(state.env.relativePath)
        if (page === undefined) return
        for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
          const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : undefined
          if (name === undefined) continue
          const link = token.attrGet(name) ?? ''
          const target = resolveLink(page, link, files)
          if (target.kind === 'missing')
            throw new Error(`${page}: ${link} leads to ${target.path}, which does not exist`)
          if (target.kind === 'on-site') token.attrSet(name, target.url)
        }
      })
    },
  },
})
