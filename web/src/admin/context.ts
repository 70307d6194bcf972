// What every part of a page may ask for.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from './api.ts';
import type { Boot } from './boot.ts';

export interface Admin {
  boot: Boot;
  api: Api;
}

const Context = createContext<Admin | null>(null);

export const AdminProvider = Context.Provider;

export function useAdmin(): Admin {
  const admin = useContext(Context);
  if (!admin) throw new Error('a part of the admin area is used outside of it');
  return admin;
}
