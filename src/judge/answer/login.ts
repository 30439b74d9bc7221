import { Unreadable } from '../text';
import type { MetSections } from './met-sections';
import type { JudgeClient, Letter } from './request';

export function authTypeOf(sections: MetSections): string | undefined {
  const type = sections.wordOf('authtype')?.toLowerCase();
  return type === 'none' ? undefined : type;
}

/** P: the user is known (mod_auth_basic.c: authenticate_basic_user). @throws Unreadable */
export function loginOf(sections: MetSections, { user, isGroupFile }: JudgeClient): Letter {
  const type = authTypeOf(sections);
  if (type === undefined || sections.wordOf('authname') === undefined) return 'E';
  const groupFile = sections.wordOf('authgroupfile');
  const providers = sections.settingOf('authbasicprovider')?.rest ?? 'file';
  const isKnownFile = groupFile === undefined || isGroupFile === undefined || isGroupFile(groupFile);
  if (type !== 'basic' || providers !== 'file' || !isKnownFile) throw new Unreadable(`AuthType ${type}`);
  if (user === undefined) return 'U';
  if (sections.wordOf('authuserfile') === undefined) return 'E';
  return user === '' ? 'U' : 'P';
}
